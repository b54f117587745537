import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, eventsOf } from "../../test/support/engine.ts";
import { defineTool } from "../schema/define/define-tool.ts";
import { object, string } from "../schema/define/schema.ts";
import { createEngine } from "./engine.ts";

test("the events of a call are in order, and a listener that throws affects nothing", async () => {
  const engine = createEngine({ tools: [add] });
  engine.on(() => {
    throw new Error("bad listener");
  });
  const events = eventsOf(engine);
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 2 }))), "ok");
  assert.deepEqual(
    events.map((event) => event.type),
    ["call.received", "call.judged", "call.started", "call.answered"],
  );
});

test("a listener that names events receives no others", async () => {
  const engine = createEngine({ tools: [add] });
  const received: string[] = [];
  const stop = engine.on((event) => received.push(event.type), ["call.answered"]);
  await engine.run(call("add", { a: 1, b: 2 }));
  stop();
  await engine.run(call("add", { a: 1, b: 2 }));
  assert.deepEqual(received, ["call.answered"]);
});

test("events carry no secrets", async () => {
  const echo = defineTool({
    name: "echo",
    description: "",
    input: object({ text: string() }),
    risk: "low",
    attributes: ({ text }) => ({ text }),
    run: ({ text }, { emit }) => (emit(text), emit({ message: text, data: { text } }), text),
  });
  const engine = createEngine({ tools: [echo], secrets: ["swordfish99"] });
  const events = eventsOf(engine);
  const result = await engine.run(call("echo", { text: "it is swordfish99" }));
  assert.equal(JSON.stringify([events, result]).includes("swordfish99"), false);
});
