import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../host/create-engine.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { collectCallEvents, createRunningCalls } from "./running-calls.ts";

test("calls are counted while they run, and no longer after close: the engine of a program goes on", async (t) => {
  const counts: number[] = [];
  const read = defineTool({
    name: "read",
    description: "Reads.",
    reading: true,
    run() {
      counts.push(running.count());
      return "text";
    },
  });
  const engine = createEngine({ tools: [read] });
  t.after(() => engine.close());
  const [running, events] = [createRunningCalls(engine), collectCallEvents(engine)];
  await engine.run({ id: "1", name: "read", input: {} });
  assert.equal(running.count(), 0);
  running.close();
  events.close();
  await engine.run({ id: "2", name: "read", input: {} });
  assert.deepEqual(counts, [1, 0]);
  assert.deepEqual(
    ["1", "2"].map((callId) => events.has({ session: null, callId })),
    [true, false],
  );
});
