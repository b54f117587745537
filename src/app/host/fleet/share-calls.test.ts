import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../../../../test/support/fleet/fleet.ts";
import { createEngine } from "../../../engine/engine.ts";
import { copyCalls } from "./share-calls.ts";

test("calls of an engine whose copies nobody stores are not copied without limit", async (t) => {
  const engine = createEngine({ mode: "yolo", tools: [add] });
  t.after(() => engine.close());
  let copies = 0;
  copyCalls(engine, () => ((copies += 1), new Promise(() => undefined)), "/");
  for (let index = 0; index < 1500; index += 1)
    await engine.run({ id: `${index}`, name: "add", input: { a: 1, b: 2 } });
  assert.ok(copies > 100 && copies <= 1000, `${copies} copies are under way`);
});
