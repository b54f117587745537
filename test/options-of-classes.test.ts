import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine, defineTool, type Ceiling, type RunOptions } from "../src/index.ts";

const ran: string[] = [];
const danger = defineTool({
  name: "danger",
  description: "d",
  risk: "high",
  run: () => ran.push("danger"),
});
const outer = defineTool({
  name: "outer",
  description: "o",
  reading: true,
  run: async (_input, { run }) => (await run("danger", {})).ok,
});

class Options {
  get ceilings(): readonly Ceiling[] {
    return [{ mode: "plan" }];
  }
}
const CREATE: Readonly<Record<string, () => RunOptions>> = {
  "a getter of a class": () => new Options(),
  "a prototype": () => Object.create({ ceilings: [{ mode: "plan" }] }) as RunOptions,
  "the object itself": () => ({ ceilings: [{ mode: "plan" }] }),
};

for (const [what, create] of Object.entries(CREATE))
  test(`ceilings that ${what} has hold for every way to call, and for inner calls`, async (t) => {
    const engine = createEngine({ tools: [danger, outer], mode: "yolo" });
    t.after(() => engine.close());
    const call = { id: "1", name: "danger", input: {} };
    const answers = [
      await engine.run(call, create()),
      ...(await engine.runAll([call], create())),
      await engine.call(danger, {}, create()),
      await engine.call("danger", {}, Object.assign(create(), { id: "2" })),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.ok),
      [false, false, false, false],
    );
    assert.equal((await engine.explain(call, create())).verdict?.kind, "deny");
    const inner = await engine.run({ id: "3", name: "outer", input: {} }, create());
    assert.deepEqual([inner.ok && inner.data, ran], [false, []]);
  });
