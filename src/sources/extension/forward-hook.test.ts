import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { add, call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { extensionEngine, sayModule } from "../../../test/support/programs/extensions.ts";
import { engineOf } from "../../../test/support/engines/sources.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import type { Hook, HookMoment, HookPoint } from "../../core/hook.ts";
import { integer, object } from "../../schema/define/schema.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { createForwardHook } from "./forward-hook.ts";

function forwardTo(hooks: readonly Hook[]): Hook {
  const listensAt = (point: HookPoint): boolean => hooks.some(({ on }) => on.includes(point));
  return createForwardHook({ hooks: () => hooks, listensAt, ready: () => undefined });
}

/** An engine whose hooks are the current content of a list. */
function engineWith(t: TestContext, hooks: readonly Hook[], others: readonly Hook[] = []): Engine {
  const forward = forwardTo(hooks);
  const echo = defineTool({
    name: "echo",
    description: "Gives back.",
    input: object({ n: integer() }),
    run: ({ n }) => `n=${n}`,
  });
  return engineOf(t, { hooks: [forward, ...others], tools: [add, echo] });
}

const before = (name: string, run: Hook["run"], more: Partial<Hook> = {}): Hook => ({
  name,
  on: ["before_tool"],
  run,
  ...more,
});

test("only the current hooks are called, and only at their points", async (t) => {
  const hooks: Hook[] = [];
  const engine = engineWith(t, hooks);
  const events = eventsOf(engine);
  assert.equal(codeOf(await engine.run(call("echo", { n: 1 }))), "ok");
  assert.equal(events.filter(({ type }) => type === "hook.decided").length, 0, "nobody was asked");
  hooks.push(before("late", () => ({ kind: "refuse", reason: "closed" })));
  const refused = await engine.run(call("echo", { n: 1 }));
  assert.equal(codeOf(refused), "DENIED");
  assert.match(textOf(refused), /late: closed/);
  hooks.length = 0;
  hooks.push({ name: "after", on: ["after_tool"], run: () => ({ kind: "note", text: "noted" }) });
  assert.equal(textOf(await engine.run(call("echo", { n: 1 }))), "n=1\n[hook extensions] after: noted");
});

test("the first hook that refuses decides, and later ones are not called", async (t) => {
  const asked: string[] = [];
  const hooks = ["a", "b", "c"].map((name) =>
    before(name, () => {
      asked.push(name);
      return name === "b" ? { kind: "refuse", reason: "no" } : undefined;
    }),
  );
  assert.match(textOf(await engineWith(t, hooks).run(call("echo", { n: 1 }))), /b: no/);
  assert.deepEqual(asked, ["a", "b"]);
});

test("after a hook that requires approval, others can still refuse or rewrite", async (t) => {
  const ask = before("ask", () => ({ kind: "ask", reason: "sure?" }));
  const refuse = before("refuse", () => ({ kind: "refuse", reason: "never" }));
  assert.match(textOf(await engineWith(t, [ask, refuse]).run(call("echo", { n: 1 }))), /refuse: never/);
  const rewrite = before("two", () => ({ kind: "rewrite", input: { n: 2 } }));
  const { hook, asked } = approving();
  const engine = engineOf(t, { hooks: [hook([ask, rewrite])], approver: asked.approver, tools: [echoing()] });
  assert.equal(textOf(await engine.run(call("echo", { n: 1 }))), "n=2");
  assert.match(asked.reasons.join(), /ask: sure\?/);
});

function approving() {
  const reasons: string[] = [];
  const approver = {
    ask(request: { readonly reason: string }) {
      reasons.push(request.reason);
      return Promise.resolve({ approved: true, scope: "once" } as const);
    },
  };
  return { hook: forwardTo, asked: { approver, reasons } };
}

function echoing() {
  const input = object({ n: integer() });
  return defineTool({ name: "echo", description: "d", input, run: ({ n }) => `n=${n}` });
}

test("every hook sees the input that the previous one wrote, and hooks after a rewrite are still called", async (t) => {
  const seen: unknown[] = [];
  // Written as text, so that validation coerces it to a value other than the written one.
  const rewriting = before("rewriting", () => ({ kind: "rewrite", input: { n: "7" } }));
  const guard = before("guard", (moment: HookMoment) => {
    const n = moment.call?.input["n"];
    seen.push(n);
    return n === 7 ? { kind: "refuse", reason: "not seven" } : undefined;
  });
  const result = await engineWith(t, [rewriting, guard]).run(call("echo", { n: 1 }));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /guard: not seven/);
  assert.deepEqual(seen, [7]);
});

test("hooks that keep rewriting each other's input are refused, wherever they come from", async (t) => {
  const to = (n: number): Hook => before(`to ${n}`, () => ({ kind: "rewrite", input: { n } }));
  const together = await engineWith(t, [to(1), to(2)]).run(call("echo", { n: 0 }));
  assert.match(textOf(together), /do not agree/);
  const apart = await engineWith(t, [to(1)], [to(2)]).run(call("echo", { n: 0 }));
  assert.match(textOf(apart), /do not agree/);
});

for (const [what, run, timeoutMs] of [
  [
    "throws",
    () => {
      throw new Error("broken");
    },
    undefined,
  ],
  ["hangs", () => new Promise<undefined>(() => undefined), 20],
  ["answers nonsense", () => ({ kind: "maybe" }) as never, undefined],
  ["answers null", () => null as never, undefined],
] as const) {
  test(`a hook that ${what} refuses before a call, unless its onFailure is pass, and passes after it`, async (t) => {
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const failing = (more: Partial<Hook>): Hook => ({ ...before("bad", run, limit), ...more });
    const codes = async (hook: Hook) => codeOf(await engineWith(t, [hook]).run(call("echo", { n: 1 })));
    assert.equal(await codes(failing({})), "DENIED");
    assert.equal(await codes(failing({ onFailure: "pass" })), "ok");
    assert.equal(await codes(failing({ on: ["after_tool"] })), "ok");
    assert.equal(await codes(failing({ on: ["after_tool"], onFailure: "refuse" })), "DENIED");
  });
}

test("the signal of a hook is aborted after its time limit, and when its call is cancelled", async (t) => {
  const aborted: string[] = [];
  const hang = (name: string, timeoutMs: number): Hook =>
    before(
      name,
      (_moment, signal) =>
        new Promise<undefined>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted.push(name);
            reject(new Error("stopped"));
          });
        }),
      { timeoutMs },
    );
  await engineWith(t, [hang("slow", 10)]).run(call("echo", { n: 1 }));
  const controller = new AbortController();
  const running = engineWith(t, [hang("cancelled", 60_000)]).run(call("echo", { n: 1 }), {
    signal: controller.signal,
  });
  setImmediate(() => controller.abort());
  assert.equal(codeOf(await running), "CANCELLED");
  await new Promise(setImmediate);
  assert.deepEqual(aborted, ["slow", "cancelled"]);
});

test("a call made before the extensions are loaded waits for their hooks", async (t) => {
  const guard =
    'api.hook({ name: "guard", on: ["before_tool"], run: () => ({ kind: "refuse", reason: "no" }) });';
  const { engine, extensions } = extensionEngine(t, { "a.js": sayModule("a", "a", guard) });
  const other = engineOf(t, { hooks: [extensions.hook], tools: [add] });
  assert.equal(codeOf(await other.run(call("add", { a: 1, b: 2 }))), "DENIED");
  await engine.sources.settled();
});

test("without a folder a call does not wait, and hooks of a folder created later are called", async (t) => {
  const guard =
    'api.hook({ name: "guard", on: ["before_tool"], run: () => ({ kind: "refuse", reason: "no" }) });';
  const { engine, write } = extensionEngine(t, {});
  engine.add(add);
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 2 }))), "ok");
  write("a.js", sayModule("a", "a", guard));
  await engine.sources.refresh();
  assert.equal(codeOf(await engine.run(call("add", { a: 1, b: 2 }))), "DENIED");
});
