import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import type { EngineEvent } from "../../core/events.ts";
import type { Fact } from "../../core/fact.ts";
import type { Hook } from "../../core/hook.ts";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { builtInTools } from "../../tools/built-in.ts";
import { createEngine } from "../engine.ts";
import type { Engine } from "../types/engine.ts";
import type { EngineOptions } from "../types/options.ts";

interface Place {
  readonly engine: Engine;
  readonly folder: string;
  readonly reported: string[];
}

/** The file tools in a folder of their own, and the reported changes: the kind and the name. */
function openPlace(t: TestContext, options: EngineOptions = {}): Place {
  const folder = temporaryFolder(t);
  const trashFolder = temporaryFolder(t);
  const tools = builtInTools({ root: folder, environment: { PATH: process.env["PATH"] ?? "" }, trashFolder });
  const engine = createEngine({ mode: "yolo", workspace: [folder], tools, ...options });
  t.after(() => engine.close());
  const reported: string[] = [];
  const listener = (event: EngineEvent): void => {
    if (event.type === "file.changed")
      reported.push(`${event.change} ${event.path.slice(folder.length + 1)}`);
  };
  engine.on(listener, ["file.changed"]);
  return { engine, folder, reported };
}

test("a file that a tool creates, changes and deletes is reported each time with its kind of change", async (t) => {
  const { engine, folder, reported } = openPlace(t);
  await engine.run(call("write_file", { path: "a.txt", content: "one\n" }));
  await engine.run(call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }));
  await engine.run(call("delete_file", { path: "a.txt" }));
  assert.deepEqual(reported, ["created a.txt", "changed a.txt", "deleted a.txt"]);
  writeFileSync(join(folder, "b.txt"), "x\n");
  await engine.run(call("read_file", { path: "b.txt" }));
  assert.equal(reported.length, 3, "reading changes nothing");
});

test("a patch reports every file: added, updated, deleted, moved from and moved to", async (t) => {
  const { engine, folder, reported } = openPlace(t);
  for (const name of ["up", "gone", "old"]) writeFileSync(join(folder, name), "line\n");
  const patch = [
    "*** Begin Patch",
    "*** Add File: new",
    "+line",
    "*** Update File: up",
    "@@",
    "-line",
    "+other",
    "*** Delete File: gone",
    "*** Update File: old",
    "*** Move to: moved",
    "@@",
    "-line",
    "+other",
    "*** End Patch",
  ].join("\n");
  assert.equal(codeOf(await engine.run(call("apply_patch", { patch }))), "ok");
  assert.deepEqual(reported.toSorted(), [
    "changed up",
    "created moved",
    "created new",
    "deleted gone",
    "deleted old",
  ]);
});

test("undoing the creation of a file is reported as its deletion", async (t) => {
  const { engine, reported } = openPlace(t);
  await engine.run(call("str_replace_editor", { command: "create", path: "a", content: "x\n" }));
  assert.equal(
    codeOf(await engine.run(call("str_replace_editor", { command: "undo_edit", path: "a" }))),
    "ok",
  );
  assert.deepEqual(reported, ["created a", "deleted a"]);
});

test("a call that fails, is denied or is cancelled reports nothing", async (t) => {
  const { engine, reported } = openPlace(t);
  assert.equal(
    codeOf(await engine.run(call("edit_file", { path: "no", old_string: "a", new_string: "b" }))),
    "TOOL_FAILED",
  );
  assert.equal(codeOf(await engine.run(call("write_file", { path: "/etc/no", content: "" }))), "DENIED");
  const signal = AbortSignal.abort();
  assert.equal(
    codeOf(await engine.run(call("write_file", { path: "no", content: "" }), { signal })),
    "CANCELLED",
  );
  assert.deepEqual(reported, []);
});

test("a command reports no changed files, since what it writes is unknown", async () => {
  const facts: readonly Fact[] = [
    { kind: "command", text: "echo > a", cwd: "/" },
    { kind: "path", path: "/a", access: "write" },
  ];
  const run = defineTool({
    name: "run",
    description: "Runs.",
    risk: "low",
    facts: () => facts,
    run: () => "",
  });
  const events: EngineEvent[] = [];
  const policy = { judge: () => ({ kind: "allow", reason: "", rule: "" }) as const };
  const engine = createEngine({ tools: [run], policy, log: (event) => events.push(event) });
  assert.equal(codeOf(await engine.run(call("run"))), "ok");
  assert.ok(!events.some(({ type }) => type === "file.changed"));
});

test("a file hook runs for each change, one after the other, and delays no answer", async (t) => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const asked: string[] = [];
  let running = 0;
  const hook: Hook = {
    name: "format",
    on: ["file_changed"],
    matches: ({ file }) => file?.path.endsWith(".ts") === true,
    async run({ file, session }) {
      running += 1;
      assert.equal(running, 1, "one at a time");
      await gate;
      asked.push(`${session} ${file?.change}`);
      running -= 1;
      return undefined;
    },
  };
  const { engine } = openPlace(t, { hooks: [hook] });
  const write = (path: string) => engine.run(call("write_file", { path, content: "x" }), { session: "s" });
  assert.equal(codeOf(await write("a.ts")), "ok");
  assert.equal(codeOf(await write("b.md")), "ok");
  assert.equal(codeOf(await write("a.ts")), "ok");
  assert.deepEqual(asked, []);
  release();
  await engine.close();
  assert.deepEqual(asked, ["s created", "s changed"]);
});

test("a file hook that throws is reported as failed and affects nothing else", async (t) => {
  const hook: Hook = {
    name: "bad",
    on: ["file_changed"],
    run() {
      throw new ToolError("TOOL_FAILED", "broken");
    },
  };
  const failed: string[] = [];
  const { engine } = openPlace(t, { hooks: [hook] });
  engine.on((event) => void (event.type === "hook.failed" && failed.push(event.message)));
  assert.equal(codeOf(await engine.run(call("write_file", { path: "a", content: "x" }))), "ok");
  await engine.close();
  assert.deepEqual(failed, ["broken"]);
});

test("closing stops a file hook that hangs", { timeout: 30_000 }, async (t) => {
  let signal: AbortSignal | undefined;
  const hook: Hook = {
    name: "hanging",
    on: ["file_changed"],
    timeoutMs: 50,
    run(_moment, own) {
      signal = own;
      return new Promise(() => undefined);
    },
  };
  const { engine } = openPlace(t, { hooks: [hook] });
  await engine.run(call("write_file", { path: "a", content: "x" }));
  await engine.close();
  assert.equal(signal?.aborted, true);
});

test("a change from outside is reported to listeners and hooks", async (t) => {
  const asked: unknown[] = [];
  const { engine, folder, reported } = openPlace(t, {
    hooks: [{ name: "see", on: ["file_changed"], run: ({ file }) => void asked.push(file) }],
  });
  rmSync(join(folder, "gone"), { force: true });
  const file = { path: join(folder, "gone"), change: "deleted" } as const;
  engine.fileChanged(file);
  assert.deepEqual(reported, ["deleted gone"]);
  await engine.close();
  assert.deepEqual(asked, [file]);
});

test("a change by a running call is reported once, by the call, even if a watcher saw it first", async (t) => {
  const { engine, folder, reported } = openPlace(t);
  const path = join(folder, "a.txt");
  engine.add(writer(path, () => engine.fileChanged({ path, change: "created" })));
  assert.equal(codeOf(await engine.run(call("writer"))), "ok");
  assert.deepEqual(reported, ["created a.txt"]);
  engine.fileChanged({ path, change: "changed" });
  assert.deepEqual(
    reported,
    ["created a.txt", "changed a.txt"],
    "afterwards changes from outside are reported again",
  );
});

test("a change seen from outside during a failed call is reported after the call", async (t) => {
  const { engine, folder, reported } = openPlace(t);
  const path = join(folder, "a.txt");
  engine.add(
    writer(path, () => {
      engine.fileChanged({ path, change: "created" });
      assert.deepEqual(reported, []);
      throw new ToolError("TOOL_FAILED", "the disk is full");
    }),
  );
  assert.equal(codeOf(await engine.run(call("writer"))), "TOOL_FAILED");
  assert.deepEqual(reported, ["created a.txt"]);
});

function writer(path: string, run: () => void): Tool {
  return defineTool({
    name: "writer",
    description: "Writes a file.",
    input: { type: "object" },
    facts: () => [{ kind: "path", path, access: "write" }],
    run() {
      run();
      return "written";
    },
  });
}
