import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../test/support/engines/engine.ts";
import { SessionKey } from "../core/session/session.ts";
import { createEngine } from "../engine/engine.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { runCall } from "./run-call.ts";

test("a sender gets the progress of its call only, also beside a call with the same id in another session", async () => {
  const tool = defineTool({
    name: "name",
    description: "Names its session.",
    risk: "low",
    async run(_, context) {
      const { id: session } = context.get(SessionKey);
      context.emit(`at ${session}`);
      await new Promise(setImmediate);
      return `of ${session}`;
    },
  });
  const engine = createEngine({ tools: [tool] });
  const { signal } = new AbortController();
  const answers = await Promise.all(
    ["a", "b"].map(async (session) => {
      const progress: unknown[] = [];
      const onProgress = (one: unknown): void => void progress.push(one);
      const job = { id: "1", tool: "name", params: {}, session };
      return [textOf(await runCall(engine, job, { signal, onProgress })), progress];
    }),
  );
  assert.deepEqual(answers, [
    ["of a", ["at a"]],
    ["of b", ["at b"]],
  ]);
  await engine.close();
});
