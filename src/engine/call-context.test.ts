import assert from "node:assert/strict";
import { test } from "node:test";
import { call, textOf } from "../../test/support/engine.ts";
import { defineTool } from "../core/define-tool.ts";
import { HiddenPaths } from "../core/hidden-paths.ts";
import { createPolicy } from "../policy/policy.ts";
import type { Engine } from "./engine.ts";
import { createEngine } from "./engine.ts";

const SECRET = "/w/.env";

/** Says what is hidden from it; before that it has been removed, where that is asked for. */
function engineWith({ isRemoved = false } = {}): Engine {
  const rules = [{ path: "**/.env", decision: "deny" }] as const;
  const policy = createPolicy({
    mode: "yolo",
    workspace: ["/w"],
    layers: [{ name: "user", mayAllow: true, rules }],
  });
  const engine = createEngine({ policy });
  engine.add(
    defineTool({
      name: "my.search",
      description: "",
      aliases: ["look"],
      risk: "low",
      check: () => (isRemoved && engine.remove("my.search"), []),
      run: (_, { find }) => `hidden: ${find(HiddenPaths)?.(SECRET)}`,
    }),
  );
  return engine;
}

for (const name of ["my.search", "look", "my_search"]) {
  test(`what is denied is hidden from a tool that is called ${name}`, async () => {
    assert.equal(textOf(await engineWith().run(call(name))), "hidden: true");
  });
}

test("what is denied is hidden also from a tool that was removed while it was called", async () => {
  assert.equal(textOf(await engineWith({ isRemoved: true }).run(call("my.search"))), "hidden: true");
});

test("a tool that calls itself without end is answered, and the engine closes", async () => {
  let runs = 0;
  const engine = createEngine({
    tools: [
      defineTool({
        name: "self",
        description: "",
        risk: "low",
        run: async (_, { run }) => {
          runs += 1;
          const inner = await run("self", {});
          return inner.ok ? textOf(inner) : inner.error.message;
        },
      }),
    ],
  });
  assert.match(textOf(await engine.run(call("self"))), /nested 50 deep at most/);
  assert.equal(runs, 51);
  await engine.close();
});
