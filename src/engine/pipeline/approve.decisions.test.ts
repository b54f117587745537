import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval, ApprovalRequest, PendingCall } from "../../core/approval.ts";
import type { Hook } from "../../core/hook.ts";
import type { Policy } from "../../core/policy.ts";
import type { ToolResult } from "../../core/result.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Verdict } from "../../core/verdict.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";
import type { Engine } from "../types/engine.ts";
import type { EngineOptions, RunOptions } from "../types/options.ts";

const ONCE: Approval = { approved: true, scope: "once" };
const ASK: Verdict = { kind: "ask", reason: "look at it", rule: "own", hint: "add a rule" };

function engineWith(runs: unknown[], options: EngineOptions = {}): Engine {
  const tool = defineTool({
    name: "t",
    description: "",
    input: { type: "object" },
    risk: "high",
    run: (input) => void runs.push(input),
  });
  return createEngine({ policy: { judge: () => ASK }, tools: [tool], ...options });
}

async function suspended(
  engine: Engine,
  input: JsonObject = {},
  options: RunOptions = {},
): Promise<PendingCall> {
  const result: ToolResult | PendingCall = await engine.run(call("t", input), {
    ...options,
    whenAsked: "return",
  });
  return "pending" in result ? result : assert.fail(textOf(result));
}

async function traceIn(journal: Journal) {
  const [record] = await journal.list({ limit: 1 });
  return record?.trace?.approval;
}

const WAIT_MS = 20;

test("the journal stores when a person was asked, when the answer came, and the answer", async () => {
  for (const [answer, stored] of [
    [ONCE, { approved: true, scope: "once" }],
    [
      { approved: false, reason: "not now" },
      { approved: false, reason: "not now" },
    ],
  ] as const) {
    const journal = createMemoryJournal();
    let askedAt = 0;
    const approver = {
      ask: async (): Promise<Approval> => {
        askedAt = Date.now();
        // Until the clock that is stored shows another time.
        while (Date.now() < askedAt + WAIT_MS) await new Promise(setImmediate);
        return answer;
      },
    };
    await engineWith([], { journal, approver }).run(call("t"));
    const { askedAt: from = 0, answeredAt: to = 0, ...more } = (await traceIn(journal)) ?? {};
    assert.deepEqual(more, stored);
    assert.ok(from <= askedAt && to >= askedAt + WAIT_MS && to <= Date.now());
  }
});

test("the decision on a suspended call is stored and reported with its call and session", async () => {
  for (const [decision, stored] of [
    [ONCE, { approved: true, scope: "once" }],
    [
      { approved: false, reason: "not now" },
      { approved: false, reason: "not now" },
    ],
  ] as const) {
    const journal = createMemoryJournal();
    const engine = engineWith([], { journal });
    const pending = await suspended(engine, {}, { session: "s" });
    const events = eventsOf(engine);
    await engine.resume(pending.token, decision);
    const { askedAt: _askedAt, answeredAt: _answeredAt, ...more } = (await traceIn(journal)) ?? {};
    assert.deepEqual(more, stored);
    const { at: _at, ...event } = events.find(({ type }) => type === "approval.answered") ?? {};
    assert.deepEqual(event, {
      type: "approval.answered",
      session: "s",
      parentId: undefined,
      callId: pending.callId,
      approved: decision.approved,
    });
  }
});

test("a refused suspended call is answered with the rule that was shown and the reason of the refusal", async () => {
  let verdict: Verdict = { ...ASK, rule: "shown", reason: "it was shown" };
  const runs: unknown[] = [];
  const engine = engineWith(runs, { journal: createMemoryJournal(), policy: { judge: () => verdict } });
  const { token } = await suspended(engine);
  verdict = { ...ASK, rule: "now", reason: "it is now" };
  const refused = await engine.resume(token, { approved: false, reason: "not today." });
  assert.ok(!refused.ok);
  const { code, message, details } = refused.error;
  assert.deepEqual(
    [code, message, details],
    ["DENIED", "The call was declined: not today. Nothing was run.", { rule: "shown" }],
  );
  assert.deepEqual(runs, []);
});

const rewriting: Hook = {
  name: "h",
  on: ["before_tool"],
  run: () => ({ kind: "rewrite", input: { to: "another" } }),
};

test("an approval holds for the same call under the same rule only, and a stricter rule needs another one", async () => {
  const resumedUnder = async (now: Verdict, hooks: readonly Hook[] = []) => {
    const [runs, journal]: [unknown[], Journal] = [[], createMemoryJournal()];
    const { token } = await suspended(engineWith(runs, { journal }), { to: "x" });
    const engine = engineWith(runs, { journal, hooks, policy: { judge: () => now } });
    return { result: await engine.resume(token, ONCE), runs };
  };
  const ran = [{ to: "x" }];
  assert.deepEqual((await resumedUnder(ASK)).runs, ran);
  assert.deepEqual((await resumedUnder({ ...ASK, reason: "worded anew" })).runs, ran);
  assert.deepEqual((await resumedUnder({ ...ASK, kind: "allow", rule: "other" })).runs, ran);
  for (const { result, runs } of [
    await resumedUnder({ ...ASK, rule: "other" }),
    await resumedUnder(ASK, [rewriting]),
    await resumedUnder({ ...ASK, kind: "allow", rule: "other" }, [rewriting]),
  ]) {
    assert.ok(!result.ok);
    const { code, details, hint } = result.error;
    assert.deepEqual([code, details, runs], ["DENIED", { rule: "own" }, []]);
    assert.match(hint ?? "", /run the call again/);
  }
});

test("an edited suspended call runs with the input that the person wrote, and is judged again", async () => {
  const [runs, judged]: [unknown[], unknown[]] = [[], []];
  const policy: Policy = {
    judge: ({ input }) => (judged.push(input), input["to"] === "z" ? { ...ASK, kind: "deny" } : ASK),
  };
  const engine = engineWith(runs, { journal: createMemoryJournal(), policy });
  for (const [to, code] of [
    ["y", "ok"],
    ["z", "DENIED"],
  ] as const) {
    const { token } = await suspended(engine, { to: "x" });
    assert.equal(codeOf(await engine.resume(token, { ...ONCE, input: { to } })), code);
    assert.deepEqual(judged.at(-1), { to });
  }
  assert.deepEqual(runs, [{ to: "y" }]);
});

test("a call whose caller cancels it while grants are looked up asks nobody", async () => {
  const controller = new AbortController();
  const asked: unknown[] = [];
  const grants = {
    find: async () => (controller.abort(), []),
    list: async () => [],
    add: async () => undefined,
    revoke: async () => false,
  };
  const approver = { ask: async (request: ApprovalRequest) => (asked.push(request), ONCE) };
  const runs: unknown[] = [];
  const engine = engineWith(runs, { grants, approver });
  const events = eventsOf(engine);
  const result = await engine.run(call("t"), { signal: controller.signal });
  assert.deepEqual([codeOf(result), asked, runs], ["CANCELLED", [], []]);
  assert.equal(
    events.some(({ type }) => type.startsWith("approval.")),
    false,
  );
});

test("an answered request is not withdrawn when its call is cancelled later", async () => {
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  const approver = {
    ask: async (_: ApprovalRequest, signal: AbortSignal) => (signals.push(signal), ONCE),
  };
  const tool = defineTool({ name: "t", description: "", risk: "high", run: () => controller.abort() });
  await createEngine({ approver, tools: [tool] }).run(call("t"), { signal: controller.signal });
  assert.deepEqual([controller.signal.aborted, signals[0]?.aborted], [true, false]);
});

test("the approver is shown the call, its session, its user and what could be saved, and cannot change what runs", async () => {
  const asked: ApprovalRequest[] = [];
  const runs: unknown[] = [];
  const approver = {
    ask: async (request: ApprovalRequest): Promise<Approval> => {
      asked.push(request);
      (request.input["nested"] as Record<string, unknown>)["to"] = "changed";
      return ONCE;
    },
  };
  const grant = { tool: "t", decision: "allow" } as const;
  const offers = [{ scope: "always", label: "t", rule: grant }] as const;
  const verdict: Verdict = { ...ASK, risk: "low", grant, ungrantable: "why", offers };
  const engine = engineWith(runs, { approver, policy: { judge: () => verdict } });
  const input = { nested: { to: "x" } };
  await engine.run({ id: "7", name: "t", input }, { session: "s", subject: "ann" });
  assert.deepEqual(runs, [{ nested: { to: "x" } }]);
  const [{ hash, definition = "", input: _input, ...request } = assert.fail("not asked")] = asked;
  for (const one of [hash, definition]) assert.match(one, /^[0-9a-f]{64}$/);
  assert.deepEqual(request, {
    callId: "7",
    tool: "t",
    risk: "low",
    facts: [],
    reason: "look at it",
    session: "s",
    subject: "ann",
    grant,
    ungrantable: "why",
    offers,
  });
});

test("the answer to a refusal has the hints of policy and of the approver, or only the approver's if a person declined", async () => {
  const hintOf = async (approval: object) => {
    const approver = { ask: async () => ({ approved: false, ...approval }) as Approval };
    const result = await engineWith([], { approver }).run(call("t"));
    assert.ok(!result.ok);
    return [result.error.message, result.error.hint, result.error.details];
  };
  const details = { rule: "own" };
  assert.deepEqual(await hintOf({ reason: "no." }), [
    "The call was declined: no. Nothing was run.",
    "add a rule",
    details,
  ]);
  assert.deepEqual(await hintOf({ reason: "no", hint: "later" }), [
    "look at it; not approved: no",
    "add a rule; later",
    details,
  ]);
  assert.deepEqual(await hintOf({}), ["The call was declined. Nothing was run.", "add a rule", details]);
  const declined = "The user declined this call";
  assert.deepEqual(await hintOf({ declined: true, reason: "v1.2 first" }), [
    `${declined}: v1.2 first. Nothing was run.`,
    undefined,
    { ...details, declined: "v1.2 first" },
  ]);
  assert.deepEqual(await hintOf({ declined: true, reason: "", hint: "later" }), [
    `${declined}. Nothing was run.`,
    "later",
    { ...details, declined: "" },
  ]);
});
