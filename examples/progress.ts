// A running tool emits progress; listeners get it as an event, like everything else that happens to a call.
import assert from "node:assert/strict";
import { createEngine, defineTool, integer, object, type EngineEvent } from "toolwright";

const copy = defineTool({
  name: "copy",
  description: "Copies files.",
  input: object({ files: integer() }),
  risk: "low",
  run({ files }, { emit }) {
    emit("looking around");
    for (let done = 1; done <= files; done += 1) emit({ message: `file ${done}`, done, total: files });
    return `${files} copied`;
  },
});

const engine = createEngine({ tools: [copy] });
const events: EngineEvent[] = [];
const stop = engine.on((event) => {
  events.push(event);
  if (event.type === "call.progressed") console.log(event.progress);
});
await engine.run({ id: "call-7", name: "copy", input: { files: 2 } });

assert.deepEqual(
  events.map((event) => event.type),
  [
    "call.received",
    "call.judged",
    "call.started",
    "call.progressed",
    "call.progressed",
    "call.progressed",
    "call.answered",
  ],
);
const progress = events.flatMap((event) => (event.type === "call.progressed" ? [event.progress] : []));
assert.deepEqual(progress.at(-1), { message: "file 2", done: 2, total: 2 });

stop();
await engine.run({ id: "call-8", name: "copy", input: { files: 1 } });
assert.equal(events.length, 7, "nothing is heard any more");
await engine.close();
