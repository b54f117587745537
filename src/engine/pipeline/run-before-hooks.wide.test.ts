import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import { before, openEngine } from "../../../test/support/engines/hook-engine.ts";
import type { Approval } from "../../core/approval.ts";
import type { EngineEvent } from "../../core/events.ts";
import type { Hook, HookDecision, HookMoment } from "../../core/hook.ts";
import type { JsonObject } from "../../core/json.ts";
import { createPolicy } from "../../policy/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";

const rewriteTo = (word: string): HookDecision => ({ kind: "rewrite", input: { word } });
const wordOf = ({ call: made }: HookMoment): unknown => made?.input["word"];

test("hooks run in order on the final input, under the tool's own name", async () => {
  const seen: unknown[] = [];
  const look = (name: string): Hook =>
    before(name, ({ point, session, call: made, risk }) => {
      seen.push([name, point, session, made, risk]);
      return undefined;
    });
  const { engine, ran } = openEngine([look("one"), look("two")]);
  const result = await engine.run(
    { id: "1", name: "tell", input: { word: "hi", times: "2" } },
    { session: "s" },
  );
  assert.equal(codeOf(result), "ok");
  const shown = { id: "1", name: "say", input: { word: "hi", times: 2 } };
  assert.deepEqual(seen, [
    ["one", "before_tool", "s", shown, "low"],
    ["two", "before_tool", "s", shown, "low"],
  ]);
  assert.deepEqual(ran, [{ word: "hi", times: 2 }]);
});

test("a hook runs only while it listens at the point, and also if listensAt throws", async () => {
  let isListening = false;
  let asked = 0;
  const count = before("count", () => void (asked += 1));
  const listensAt = (): boolean => isListening;
  const broken = (): never => {
    throw new Error("no idea");
  };
  const { engine } = openEngine([
    { ...count, listensAt },
    { ...count, listensAt: broken },
  ]);
  assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "ok");
  assert.equal(asked, 1);
  isListening = true;
  assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "ok");
  assert.equal(asked, 3);
});

test("a hook that refuses stops the tool, and the answer names the hook and its reason", async () => {
  let asked = 0;
  const after = before("after", () => void (asked += 1));
  const { engine, ran } = openEngine([before("no", () => ({ kind: "refuse", reason: "not today" })), after]);
  const result = await engine.run(call("say", { word: "hi" }));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /hook "no" refused it: not today/);
  assert.deepEqual(!result.ok && result.error.details, { rule: "hook.no" });
  assert.equal(asked, 0, "a later hook is not asked");
  assert.deepEqual(ran, []);
});

test("a hook that asks makes a call need approval that policy allows", async () => {
  const reasons: string[] = [];
  const approver = {
    async ask({ reason }: { readonly reason: string }): Promise<Approval> {
      reasons.push(reason);
      return { approved: true, scope: "always" };
    },
  };
  const hook = before("careful", () => ({ kind: "ask", reason: "look at it" }));
  const { engine, ran } = openEngine([hook], { approver, mode: "yolo" });
  assert.ok((await engine.run(call("say", { word: "hi" }))).ok);
  assert.ok((await engine.run(call("say", { word: "hi" }))).ok);
  assert.deepEqual(reasons, [
    'hook "careful" demands approval: look at it',
    'hook "careful" demands approval: look at it',
  ]);
  assert.equal(ran.length, 2);
});

test("a hook that asks denies the call without an approver, even in yolo", async () => {
  const hook = before("careful", () => ({ kind: "ask", reason: "look at it" }));
  const { engine, ran } = openEngine([hook], { mode: "yolo" });
  assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "DENIED");
  assert.deepEqual(ran, []);
});

test("a rewritten input is what runs, and every hook runs on it", async () => {
  const seen: unknown[] = [];
  const watch = before("watch", (moment) => void seen.push(wordOf(moment)));
  const repair = before("repair", (moment) => (wordOf(moment) === "bad" ? rewriteTo("good") : undefined));
  const { engine, ran } = openEngine([watch, repair]);
  const result = await engine.run(call("say", { word: "bad" }));
  assert.equal(textOf(result), "good");
  assert.deepEqual(ran, [{ word: "good", times: 1 }]);
  assert.deepEqual(seen, ["bad", "good"]);
});

test("a rewrite to the same input is a pass, whatever the order of its keys", async () => {
  const hook = before("same", ({ call: made }) => {
    const { word = "", times = 1 } = made?.input ?? {};
    return { kind: "rewrite", input: { times, word } };
  });
  const { engine, ran } = openEngine([hook]);
  assert.ok((await engine.run(call("say", { word: "hi" }))).ok);
  assert.equal(ran.length, 1);
});

test("a hook that always rewrites to the same input passes, even if coercion and defaults change that input", async () => {
  const hook = before("stubborn", () => ({ kind: "rewrite", input: { word: "x", times: "2" } }));
  const { engine, ran } = openEngine([hook]);
  assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "ok");
  assert.deepEqual(ran, [{ word: "x", times: 2 }]);
});

test("a rewritten input that does not match the schema is invalid, and the tool does not run", async () => {
  const { engine, ran } = openEngine([
    before("wild", () => ({ kind: "rewrite", input: { word: { no: 1 } } })),
  ]);
  assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "INVALID_INPUT");
  assert.deepEqual(ran, []);
});

test("a rewrite to something that policy denies is denied", async () => {
  const inner = createPolicy({ mode: "yolo", workspace: [] });
  const policy: typeof inner = {
    judge: (job, circumstances) =>
      job.input["word"] === "forbidden"
        ? { kind: "deny", reason: "never that word", rule: "test" }
        : inner.judge(job, circumstances),
  };
  const hook = before("evil", (moment) => (wordOf(moment) === "hi" ? rewriteTo("forbidden") : undefined));
  const { engine, ran } = openEngine([hook], { policy });
  const result = await engine.run(call("say", { word: "hi" }));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /never that word/);
  assert.deepEqual(ran, []);
});

test("an approval no longer holds once a hook has rewritten the input", async () => {
  const shown: unknown[] = [];
  const approver = {
    async ask({ input }: { readonly input: JsonObject }): Promise<Approval> {
      shown.push(input["word"]);
      // The first time the person writes another input, which a hook then rewrites.
      return shown.length === 1
        ? { approved: true, scope: "once", input: { word: "edited" } }
        : { approved: false, reason: "not that" };
    },
  };
  const hook = before("twist", (moment) => (wordOf(moment) === "edited" ? rewriteTo("twisted") : undefined));
  const { engine, ran } = openEngine([hook], { approver, mode: "ask" });
  assert.equal(codeOf(await engine.run(call("say", { word: "hi" }))), "DENIED");
  assert.deepEqual(shown, ["hi", "twisted"]);
  assert.deepEqual(ran, []);
});

test("hooks that never agree on an input are stopped after five rewrites", async () => {
  let asked = 0;
  const hook = before("restless", () => rewriteTo(`word ${(asked += 1)}`));
  const { engine, ran } = openEngine([hook]);
  const result = await engine.run(call("say", { word: "hi" }));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /do not agree/);
  assert.equal(asked, 6);
  assert.deepEqual(ran, []);
});

test("five rewrites of one input are allowed", async () => {
  let left = 5;
  const hook = before("slow", () => ((left -= 1) >= 0 ? rewriteTo(`word ${left}`) : undefined));
  const { engine } = openEngine([hook]);
  assert.equal(textOf(await engine.run(call("say", { word: "hi" }))), "word 0");
});

test("a hook that changes the input it is shown does not change what runs", async () => {
  const vandal = before("vandal", ({ call: made }) => {
    Object.assign(made?.input ?? {}, { word: "changed" });
    return undefined;
  });
  const seen: unknown[] = [];
  const { engine, ran } = openEngine([vandal, before("watch", (moment) => void seen.push(wordOf(moment)))]);
  assert.ok((await engine.run(call("say", { word: "hi" }))).ok);
  assert.deepEqual(ran, [{ word: "hi", times: 1 }]);
  assert.deepEqual(seen, ["hi"]);
});

test("a hook runs only if it matches, and only at its points", async () => {
  let asked = 0;
  const count = (): undefined => void (asked += 1);
  const other = before("other", count, { matches: (moment) => wordOf(moment) === "other" });
  const end = before("end", count, { on: ["session_end"] });
  const { engine } = openEngine([other, end]);
  await engine.run(call("say", { word: "hi" }));
  assert.equal(asked, 0);
  await engine.run(call("say", { word: "other" }));
  assert.equal(asked, 1);
});

test("hooks run for a call made by a tool too", async () => {
  const outer = defineTool({
    name: "outer",
    description: "Calls.",
    risk: "low",
    run: async (_input, { run }) => codeOf(await run("say", { word: "hi" })),
  });
  const hook = before("no", ({ call: made }) =>
    made?.name === "say" ? { kind: "refuse", reason: "no" } : undefined,
  );
  const { engine, ran } = openEngine([hook]);
  engine.add(outer);
  assert.equal(textOf(await engine.run(call("outer"))), "DENIED");
  assert.deepEqual(ran, []);
});

test("explaining and previewing calls run no hook", async () => {
  let asked = 0;
  const { engine } = openEngine([
    before("count", () => void (asked += 1), { on: ["before_tool", "session_start"] }),
  ]);
  await engine.explain(call("say", { word: "hi" }), { session: "s" });
  assert.equal(asked, 0);
  await engine.runAll([call("say", { word: "a" })], { session: "s" });
  assert.equal(asked, 2, "once for the session, once for the call");
});

test("an engine whose hooks answer at once answers within the same turn as one without", async () => {
  const order: string[] = [];
  const { engine } = openEngine([
    before("quick", () => undefined, { on: ["before_tool", "after_tool", "session_start"] }),
  ]);
  const answered = engine.run(call("say", { word: "hi" })).then(() => order.push("call"));
  const turn = Promise.resolve()
    .then(() => undefined)
    .then(() => order.push("turn"));
  await Promise.all([answered, turn]);
  assert.deepEqual(order, ["call", "turn"]);
});

test("each decision is emitted as an event with a masked reason", async () => {
  const hook = before("no", () => ({ kind: "refuse", reason: "the key is hunter2hunter2" }));
  const { engine } = openEngine([hook], { secrets: ["hunter2hunter2"] });
  const events = eventsOf(engine);
  const result = await engine.run({ id: "7", name: "say", input: { word: "hi" } });
  const reported = events.find(
    (event): event is EngineEvent & { type: "hook.decided" } => event.type === "hook.decided",
  );
  assert.equal(reported?.hook, "no");
  assert.equal(reported.point, "before_tool");
  assert.equal(reported.callId, "7");
  assert.equal(reported.decision, "refuse");
  assert.doesNotMatch(JSON.stringify([reported, result]), /hunter2/);
});

test("no hook can allow a call that policy denies or asks about", async () => {
  const decision = fc.oneof(
    fc.constant(undefined),
    fc.record({
      kind: fc.constantFrom("pass", "allow", "refuse", "ask", "rewrite", "note"),
      reason: fc.string(),
    }),
    fc.record({ kind: fc.constant("rewrite"), input: fc.record({ word: fc.string() }) }),
    fc.record({ decision: fc.constant("allow"), approved: fc.constant(true) }),
    fc.anything(),
  );
  await fc.assert(
    fc.asyncProperty(decision, fc.constantFrom("refuse", "pass"), async (said, onFailure) => {
      const hook = before("any", () => said as HookDecision, { onFailure });
      for (const kind of ["deny", "ask"] as const) {
        const policy = { judge: () => ({ kind, reason: "no", rule: "test" }) };
        const { engine, ran } = openEngine([hook], { policy });
        assert.notEqual(codeOf(await engine.run(call("say", { word: "hi" }))), "ok");
        assert.deepEqual(ran, []);
      }
    }),
  );
});
