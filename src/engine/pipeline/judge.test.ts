import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval } from "../../core/approval.ts";
import type { CommandFact } from "../../core/fact.ts";
import type { Hook } from "../../core/hook.ts";
import { MODES, type Circumstances, type Mode, type Policy } from "../../core/policy.ts";
import type { Risk } from "../../core/spec.ts";
import type { Verdict } from "../../core/verdict.ts";
import { createPolicy } from "../../policy/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { defined } from "../../util/json/defined.ts";
import { createEngine } from "../engine.ts";
import type { RunOptions } from "../types/options.ts";

const ALLOW: Verdict = { kind: "allow", reason: "", rule: "r" };
const ONCE: Approval = { approved: true, scope: "once" };

function toolOf(risk: Risk = "medium") {
  return defineTool({ name: "t", description: "", risk, run: () => "ran" });
}

test("the mode of each call is the one that is current when it is judged", async () => {
  let mode: Mode = "auto";
  const engine = createEngine({ mode: "plan", currentMode: () => mode, tools: [toolOf()] });
  const codes: string[] = [];
  for (mode of ["yolo", "plan", "auto", "ask", "yolo"] as const)
    codes.push(codeOf(await engine.run(call("t"))));
  assert.deepEqual(codes, ["ok", "DENIED", "DENIED", "DENIED", "ok"]);
  mode = "pln" as Mode;
  const unknown = await engine.run(call("t"));
  assert.equal(codeOf(unknown), "INVALID_INPUT");
  assert.match(textOf(unknown), /unknown mode "pln"\ndid you mean plan\?/);
});

test("a policy judges in the mode that it is given as it would with that mode of its own", () => {
  const workspace = ["/w"];
  for (const own of MODES)
    for (const mode of MODES)
      for (const risk of ["low", "medium", "high"] as const)
        for (const layers of [
          [],
          [{ name: "project", rules: [], mode: "ask" as const, mayAllow: false }],
          [{ name: "user", rules: [], mode: "edits" as const, mayAllow: true }],
        ]) {
          const tool = toolOf(risk);
          const job = { call: call("t"), tool, input: {}, hidden: {}, facts: [], risk };
          const expected = createPolicy({ mode, workspace, layers }).judge(job);
          const policy = createPolicy({ mode: own, workspace, layers });
          for (let time = 0; time < 2; time += 1) {
            assert.deepEqual(policy.judge(job, { mode }), expected);
            assert.deepEqual(policy.judge(job, { mode, ceilings: [] }), expected);
          }
          const strict = { mode, ceilings: [{ mode: "plan" as const }] };
          assert.deepEqual(
            policy.judge(job, strict),
            createPolicy({ mode, workspace, layers }).judge(job, { ceilings: [{ mode: "plan" }] }),
          );
        }
});

test("policy gets what limits the call, and nothing for a call without limits", async () => {
  const seen: unknown[] = [];
  const policy: Policy = { judge: (_, ...more) => (seen.push(more), ALLOW) };
  const ceilings = [{ tools: ["t"] }];
  const rules = [{ decision: "ask" as const }];
  const plain = createEngine({ policy, tools: [toolOf()] });
  await plain.run(call("t"));
  await plain.run(call("t"), { ceilings });
  plain.session("s", { rules });
  await plain.run(call("t"), { session: "s" });
  await createEngine({ policy, currentMode: () => "ask", tools: [toolOf()] }).run(call("t"));
  assert.deepEqual(seen, [[], [{ ceilings }], [{ rules }], [{ mode: "ask" }]]);
});

test("a policy of its own gets the earlier approvals of a call, and alone decides by them", async () => {
  for (const obeys of [true, false]) {
    const seen: Circumstances[] = [];
    const ask: Verdict = { kind: "ask", reason: "", rule: "own" };
    const policy: Policy = {
      judge(_, circumstances = {}) {
        seen.push(circumstances);
        const { grants = [], hash } = circumstances;
        const isGranted = obeys && grants.some((grant) => grant.hash === hash?.());
        return isGranted ? ALLOW : ask;
      },
    };
    let asked = 0;
    const approver = { ask: async () => ((asked += 1), { approved: true, scope: "always" } as const) };
    const engine = createEngine({ policy, approver, tools: [toolOf()] });
    await engine.run(call("t"));
    await engine.run(call("t"));
    assert.equal(asked, obeys ? 1 : 2);
    assert.equal(seen.at(-1)?.grants?.length, 1);
  }
});

test("a verdict is reported as an event, and a denial has the rule, the reason and the hint of policy", async () => {
  const deny: Verdict = { kind: "deny", reason: "not today", rule: "own.rule", hint: "try tomorrow" };
  for (const verdict of [deny, { kind: "deny", reason: "never", rule: "own" } as const]) {
    const engine = createEngine({ policy: { judge: () => verdict }, tools: [toolOf()] });
    const events = eventsOf(engine);
    const result = await engine.run({ id: "7", name: "t", input: {} }, { session: "s" });
    assert.ok(!result.ok);
    const { message, code, details, ...more } = result.error;
    assert.deepEqual([code, message, details], ["DENIED", verdict.reason, { rule: verdict.rule }]);
    assert.deepEqual(more, verdict.hint === undefined ? {} : { hint: "try tomorrow" });
    const judged = events.find(({ type }) => type === "call.judged");
    const { at, ...event } = judged ?? { at: 0 };
    assert.ok(at > 0);
    assert.deepEqual(event, {
      type: "call.judged",
      session: "s",
      parentId: undefined,
      callId: "7",
      name: "t",
      verdict,
    });
  }
});

test("a hook that demands approval turns an allow into a question, and nothing else", async () => {
  const hook: Hook = { name: "h", on: ["before_tool"], run: () => ({ kind: "ask", reason: "look at it" }) };
  const asked: unknown[] = [];
  const approver = { ask: async (request: unknown) => (asked.push(request), ONCE) };
  const proven = ["ls"];
  const verdicts: Verdict[] = [];
  for (const verdict of [
    ALLOW,
    { ...ALLOW, proven },
    { kind: "deny", reason: "no", rule: "d" },
    { kind: "ask", reason: "own question", rule: "a" },
  ] as const) {
    const engine = createEngine({
      policy: { judge: () => verdict },
      hooks: [hook],
      approver,
      tools: [toolOf()],
    });
    engine.on((event) => event.type === "call.judged" && verdicts.push(event.verdict));
    await engine.run(call("t"));
  }
  const demanded = {
    kind: "ask",
    reason: 'hook "h" demands approval: look at it',
    rule: "hook.h",
    ungrantable: "a hook demands approval of each such call",
  };
  assert.deepEqual(verdicts, [
    demanded,
    { ...demanded, proven },
    { kind: "deny", reason: "no", rule: "d" },
    { kind: "ask", reason: "own question", rule: "a" },
  ]);
  assert.equal(asked.length, 3);
});

/** Runs a tool with a command and returns what policy has decided about the command. */
async function commandUnder(verdict: Verdict, options: RunOptions = {}, approval: Approval = ONCE) {
  const { promise, resolve } = Promise.withResolvers<CommandFact | undefined>();
  const tool = defineTool({
    name: "t",
    description: "",
    risk: "high",
    facts: () => [
      { kind: "host", host: "a.com" },
      { kind: "command", text: "ls", cwd: "/w" },
    ],
    run(_, { facts }) {
      assert.deepEqual(facts[0], { kind: "host", host: "a.com" });
      return resolve(facts.find((fact) => fact.kind === "command"));
    },
  });
  const engine = createEngine({
    policy: { judge: () => verdict },
    approver: { ask: async () => approval },
    tools: [tool],
  });
  await engine.run(call("t"), options);
  resolve(undefined);
  const { argv, place, isGuarded } = (await promise) ?? {};
  return [argv, place, isGuarded];
}

test("a command runs with the protection that its verdict demands", async () => {
  const guarded: Verdict = { ...ALLOW, proven: ["ls"], place: "sandbox", isGuarded: true };
  assert.deepEqual(await commandUnder(guarded), [["ls"], "sandbox", true]);
  assert.deepEqual(await commandUnder({ ...ALLOW, isGuarded: true }), [undefined, undefined, true]);
  assert.deepEqual(await commandUnder({ ...ALLOW, proven: ["ls"] }), [["ls"], undefined, undefined]);
  assert.deepEqual(await commandUnder(ALLOW), [undefined, undefined, undefined]);
});

test("a person who typed or edited a call takes the protection off, and an engine that allowed it does not", async () => {
  const guarded: Verdict = { ...ALLOW, proven: ["ls"], place: "sandbox", isGuarded: true };
  assert.deepEqual(await commandUnder(guarded, { approvedBy: "person" }), [["ls"], undefined, undefined]);
  assert.deepEqual(await commandUnder(guarded, { approvedBy: "engine" }), [["ls"], "sandbox", true]);
  assert.deepEqual(await commandUnder(ALLOW, { approvedBy: "engine" }), [undefined, undefined, true]);
  const ask: Verdict = { ...guarded, kind: "ask" };
  const edited: Approval = { approved: true, scope: "once", input: {} };
  assert.deepEqual(await commandUnder(ask, {}, edited), [["ls"], undefined, undefined]);
});

test("approvedBy makes up for a question and for nothing else; an unknown value refuses the call", async () => {
  for (const approvedBy of ["person", "engine"] as const) {
    const codes = (["allow", "ask", "deny"] as const).map(async (kind) =>
      codeOf(
        await createEngine({ policy: { judge: () => ({ ...ALLOW, kind }) }, tools: [toolOf()] }).run(
          call("t"),
          {
            approvedBy,
          },
        ),
      ),
    );
    assert.deepEqual(await Promise.all(codes), ["ok", "ok", "DENIED"]);
  }
  const engine = createEngine({ tools: [toolOf("low")] });
  for (const approvedBy of ["Person", true, null, {}])
    assert.equal(codeOf(await engine.run(call("t"), { approvedBy: approvedBy as never })), "INVALID_INPUT");
});

test("policy knows the user of a call and of the calls that it makes, and what is stored has the id", async () => {
  const users: unknown[] = [];
  const policy: Policy = {
    judge(_job, { subject } = {}) {
      users.push(subject);
      return ALLOW;
    },
  };
  const outer = defineTool({
    name: "outer",
    description: "",
    run: (_input, { run }) => run("t", {}).then(() => 1),
  });
  const journal = createMemoryJournal();
  const engine = createEngine({ policy, journal, tools: [toolOf(), outer] });
  const ada = { id: "ada", groups: ["dev"], roles: ["caller"] };
  for (const subject of [ada, "eve", undefined]) await engine.run(call("outer"), defined({ subject }));
  assert.deepEqual(users, [ada, ada, { id: "eve" }, { id: "eve" }, undefined, undefined]);
  const recorded = (await journal.list({ name: "outer" })).map(({ subject }) => subject);
  assert.deepEqual(recorded.toReversed(), ["ada", "eve", null]);
});
