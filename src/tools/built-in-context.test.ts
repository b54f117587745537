import assert from "node:assert/strict";
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../test/support/engines/engine.ts";
import { engineOf } from "../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { provide } from "../core/context.ts";
import { FileAccessKey } from "../core/session/file-access.ts";
import { ProcessesKey } from "../core/session/host-keys.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { childEnvironment } from "../system/process/environment.ts";
import { builtInContext } from "./built-in-context.ts";
import { builtInTools } from "./built-in.ts";

test("a tool of a user sees the files and processes of its session, and ends a process", async (t) => {
  const root = realpathSync(temporaryFolder(t));
  const file = join(root, "a.txt");
  writeFileSync(file, "text\n");
  const own = defineTool({
    name: "own",
    description: "Looks at the session.",
    risk: "low",
    needs: [FileAccessKey, ProcessesKey],
    async run(_, { get }) {
      const processes = get(ProcessesKey);
      const seen = (await get(FileAccessKey).seen(file)) !== undefined;
      const [first] = processes.list();
      if (first === undefined) return { seen, command: null };
      const output = processes.output(first.id);
      await processes.stop(first.id);
      return { seen, command: first.command, output: typeof output, running: processes.list()[0]?.isRunning };
    },
  });
  const options = { root, environment: childEnvironment(process.env) };
  const engine = engineOf(t, {
    tools: [...builtInTools(options), own],
    workspace: [root],
    context: builtInContext(options),
  });
  await engine.run(call("read_file", { path: "a.txt" }), { session: "one" });
  const started = await engine.run(call("shell", { command: "sleep 60", background: true }), {
    session: "one",
  });
  assert.ok(started.ok, textOf(started));
  const one = await engine.run(call("own"), { session: "one" });
  assert.deepEqual(one.ok && one.data, { seen: true, command: "sleep 60", output: "string", running: false });
  const two = await engine.run(call("own"), { session: "two" });
  assert.deepEqual(two.ok && two.data, { seen: false, command: null });
  const without = engineOf(t, {
    tools: [own],
    context: [provide(FileAccessKey, { seen: async () => undefined, note: async () => undefined })],
  });
  assert.equal(codeOf(await without.run(call("own"))), "MISSING_CONTEXT");
});
