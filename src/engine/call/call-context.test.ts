import assert from "node:assert/strict";
import { test } from "node:test";
import { call, textOf } from "../../../test/support/engines/engine.ts";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import type { Approval } from "../../core/approval.ts";
import { HiddenPaths } from "../../core/session/hidden-paths.ts";
import { createPolicy } from "../../policy/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";
import type { Engine } from "../types/engine.ts";

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
  test(`denied paths are hidden from a tool that is called ${name}`, async () => {
    assert.equal(textOf(await engineWith().run(call(name))), "hidden: true");
  });
}

test("denied paths are hidden also from a tool that was removed during its call", async () => {
  assert.equal(textOf(await engineWith({ isRemoved: true }).run(call("my.search"))), "hidden: true");
});

test("endless recursion of a tool is answered, and the engine closes", async () => {
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
  assert.match(textOf(await engine.run(call("self"))), /at most 50 levels deep/);
  assert.equal(runs, 51);
  await engine.close();
});

test("a question of a tool pauses its deadline, which still holds afterwards", async (t) => {
  const time = createVirtualTime(t);
  const yes: Approval = { approved: true, scope: "once" };
  const approver = {
    ask: () => new Promise<Approval>((resolve) => void setTimeout(() => resolve(yes), 150)),
  };
  const asking = (after: () => unknown) =>
    defineTool({
      name: "t",
      description: "",
      risk: "low",
      limits: { timeoutMs: 60, idleTimeoutMs: 50 },
      async run(_, { ask, emit }) {
        emit("one moment");
        const answers = await Promise.all([ask({ text: "First?" }), ask({ text: "Second?" })]);
        assert.deepEqual(
          answers.map(({ approved }) => approved),
          [true, true],
        );
        return after();
      },
    });
  const engine = createEngine({ tools: [asking(() => "done")], approver });
  const done = engine.run(call("t"));
  await time.pass(150);
  assert.equal(textOf(await done), "done");
  const hanging = createEngine({ tools: [asking(() => new Promise(() => undefined))], approver });
  let isOver = false;
  const hung = hanging.run(call("t")).finally(() => (isOver = true));
  await time.pass(150);
  assert.equal(isOver, false);
  await time.pass(60);
  const result = await hung;
  assert.equal(result.ok ? "" : result.error.code, "TOOL_TIMEOUT");
});

test("the approval of a call that a tool makes pauses the deadlines of the tool and of its caller", async (t) => {
  const time = createVirtualTime(t);
  const yes: Approval = { approved: true, scope: "once" };
  const approver = {
    ask: () => new Promise<Approval>((resolve) => void setTimeout(() => resolve(yes), 150)),
  };
  const limits = { timeoutMs: 60 };
  const passing = (name: string, inner: string) =>
    defineTool({
      name,
      description: "",
      risk: "low",
      limits,
      run: async (_, { runAll }) => (await runAll([{ name: inner, input: {} }]))[0]?.ok,
    });
  const risky = defineTool({ name: "risky", description: "", risk: "high", limits, run: () => "done" });
  const engine = createEngine({
    tools: [passing("outer", "inner"), passing("inner", "risky"), risky],
    approver,
  });
  const running = engine.run(call("outer"));
  await time.pass(150);
  assert.equal(textOf(await running), "true");
});

test("a tool can have the answers to its calls whole and without marks", async () => {
  const items = Array.from({ length: 3000 }, (_, index) => `item ${index}`);
  const long = defineTool({
    name: "long",
    description: "",
    risk: "low",
    isUntrusted: true,
    limits: { shape: "list" },
    run: () => items,
  });
  const text = defineTool({
    name: "text",
    description: "",
    risk: "low",
    isUntrusted: true,
    run: () => items.join(),
  });
  const seen: unknown[] = [];
  const outer = defineTool({
    name: "outer",
    description: "",
    risk: "low",
    async run(_, { runAll }) {
      const calls = ["long", "text"].map((name) => ({ name, input: {} }));
      for (const options of [undefined, { fence: false, maxBytes: 1e6 }]) {
        const [list, plain] = await runAll(calls, options);
        const [first] = plain?.content ?? [];
        const shown = first?.type === "text" ? first.text : "";
        seen.push([
          list?.ok && (list.data as unknown[]).length,
          shown.startsWith("<untrusted"),
          shown.length > 20_000,
        ]);
      }
    },
  });
  const engine = createEngine({ tools: [long, text, outer] });
  await engine.run(call("outer"));
  assert.deepEqual(seen, [
    [500, true, false],
    [3000, false, true],
  ]);
});
