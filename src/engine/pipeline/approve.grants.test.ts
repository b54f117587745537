import assert from "node:assert/strict";
import { test } from "node:test";
import { approverOf } from "../../../test/support/engines/approvals.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval } from "../../core/approval.ts";
import type { CommandFact, Fact } from "../../core/fact.ts";
import { WORKSPACE_GRANT, type Grant, type GrantQuery, type Grants } from "../../core/grant.ts";
import { UNTRUSTED_TEXT, WORKSPACE_BOUNDARY, type Policy } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import type { UntrustedTexts } from "../../core/session/untrusted-texts.ts";
import type { Verdict } from "../../core/verdict.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import { createEngine } from "../engine.ts";
import type { EngineOptions } from "../types/options.ts";

const ASK: Verdict = { kind: "ask", reason: "look at it", rule: "own" };
const ALLOW: Verdict = { kind: "allow", reason: "", rule: "grant" };
const NARROW: Rule = { tool: "t", input: { to: "x" }, decision: "allow" };
const WIDE: Rule = { tool: "t", decision: "allow" };
const OFFERS = [{ scope: "session", label: "t", rule: WIDE }] as const;

/** Grants that find the same ones for every call, and show what is looked up and added. */
function grantsOf(...found: Grant[]): Grants & { readonly queries: GrantQuery[]; readonly added: unknown[] } {
  const [queries, added]: [GrantQuery[], unknown[]] = [[], []];
  return {
    queries,
    added,
    find: async (query) => (queries.push(query), found),
    list: async () => found,
    add: async (grant, session) => void added.push([grant, session]),
    revoke: async () => false,
  };
}

function grantAt(grantedAt: number, rule?: Rule): Grant {
  return { id: "g", scope: "always", hash: "h", tool: "t", grantedAt, ...(rule !== undefined && { rule }) };
}

/** Returns the verdict for a call without grants, and allows it with any. */
function policyOf(
  verdict: Verdict,
  granted = ALLOW,
): Policy & { readonly judged: (readonly Grant[] | undefined)[] } {
  const judged: (readonly Grant[] | undefined)[] = [];
  return {
    judged,
    judge: (_, { grants } = {}) => (judged.push(grants), grants === undefined ? verdict : granted),
  };
}

function toolOf(facts: readonly Fact[] = [], ran: (readonly Fact[])[] = []) {
  return defineTool({
    name: "t",
    description: "",
    risk: "high",
    facts: () => facts,
    run: (_, context) => void ran.push(context.facts),
  });
}

const COMMAND: CommandFact = { kind: "command", text: "ls", cwd: "/w/src" };

test("grants are looked up for the call, its session, its user and its tool, and an empty list asks", async () => {
  const grants = grantsOf();
  const policy = policyOf(ASK);
  const approver = approverOf({ approved: true, scope: "once" });
  const engine = createEngine({ policy, grants, approver, tools: [toolOf()] });
  assert.equal(codeOf(await engine.run(call("t"), { session: "s", subject: "ann" })), "ok");
  const [request] = approver.asked;
  assert.deepEqual(grants.queries, [{ session: "s", subject: "ann", tool: "t", hash: request?.hash }]);
  assert.deepEqual(policy.judged, [undefined], "without grants there is nothing to judge again");
});

test("a call that a grant allows runs without a question, with the protection of the new verdict", async () => {
  const ran: (readonly Fact[])[] = [];
  const policy = policyOf(ASK, { ...ALLOW, proven: ["ls"], isGuarded: true });
  const approver = approverOf({ approved: false, reason: "no" });
  const tools = [toolOf([COMMAND], ran)];
  const engine = createEngine({ policy, grants: grantsOf(grantAt(1)), approver, tools });
  assert.equal(codeOf(await engine.run(call("t"))), "ok");
  assert.deepEqual(ran, [[{ ...COMMAND, argv: ["ls"], isGuarded: true }]]);
  assert.deepEqual(approver.asked, []);
});

test("a grant with which policy asks still, or denies, changes nothing", async () => {
  for (const kind of ["ask", "deny"] as const) {
    const approver = approverOf({ approved: false, reason: "no" });
    const policy = policyOf(ASK, { ...ALLOW, kind });
    const engine = createEngine({ policy, grants: grantsOf(grantAt(1)), approver, tools: [toolOf()] });
    assert.equal(codeOf(await engine.run(call("t"))), "DENIED");
    assert.equal(approver.asked.length, 1);
  }
});

test("grants are looked up for a call without a lasting approval only if it has offers", async () => {
  const ungrantable = "protected";
  for (const [verdict, isFound] of [
    [{ ...ASK, ungrantable }, false],
    [{ ...ASK, ungrantable, offers: OFFERS }, true],
    [{ ...ASK, offers: OFFERS }, true],
  ] as const) {
    const grants = grantsOf(grantAt(1));
    const engine = createEngine({ policy: policyOf(verdict), grants, tools: [toolOf()] });
    assert.equal(codeOf(await engine.run(call("t"))), isFound ? "ok" : "DENIED");
    assert.equal(grants.queries.length, isFound ? 1 : 0);
  }
});

test("after text from outside only grants made since, or for that case, are judged", async () => {
  const since = 1000;
  const later: Rule = { ...WIDE, afterUntrustedText: true };
  const untrustedTexts: UntrustedTexts = {
    find: async () => ({ origins: ["a page"], since }),
    set: async () => undefined,
  };
  const judgedFor = async (rule: string, ...found: Grant[]) => {
    const policy = policyOf({ ...ASK, rule });
    const options = { policy, grants: grantsOf(...found), untrustedTexts, tools: [toolOf()] };
    const result = await createEngine(options).run(call("t"), { session: "s" });
    return [codeOf(result), policy.judged.at(-1)];
  };
  const [before, at, after] = [grantAt(since - 1), grantAt(since), grantAt(since + 1)];
  const meant = grantAt(since - 1, later);
  const not = grantAt(since - 1, WIDE);
  assert.deepEqual(await judgedFor(UNTRUSTED_TEXT, before, at, not), ["DENIED", undefined]);
  assert.deepEqual(await judgedFor(UNTRUSTED_TEXT, before, after, not), ["ok", [after]]);
  assert.deepEqual(await judgedFor(UNTRUSTED_TEXT, meant, not), ["ok", [meant]]);
  assert.deepEqual(await judgedFor("own", before, not), ["ok", [before, not]]);
});

/** Returns the grants that an approval of a call adds, and the events about them. */
async function savedBy(approval: Approval, verdict: Verdict, facts: readonly Fact[] = []) {
  const grants = grantsOf();
  const events: unknown[] = [];
  const options: EngineOptions = { policy: policyOf(verdict), approver: approverOf(approval), grants };
  const engine = createEngine({ ...options, tools: [toolOf(facts)] });
  engine.on(({ at: _at, ...event }) => events.push(event), ["approval.saved"]);
  const result = await engine.run({ id: "7", name: "t", input: {} }, { session: "s", subject: "ann" });
  assert.equal(codeOf(result), "ok");
  return { saved: grants.added as [Grant, string][], events };
}

test("a saved approval has the call, its rule, its user, its session and the folder of its command", async () => {
  const host: Fact = { kind: "host", host: "a.com" };
  const before = Date.now();
  const { saved, events } = await savedBy({ approved: true, scope: "session" }, { ...ASK, grant: NARROW }, [
    host,
    COMMAND,
  ]);
  const [[grant, session] = assert.fail("none saved")] = saved;
  const { id, hash, grantedAt, ...more } = grant;
  assert.deepEqual(
    [saved.length, session, more],
    [1, "s", { scope: "session", tool: "t", rule: NARROW, folder: "/w/src", subject: "ann" }],
  );
  assert.ok(hash !== "" && grantedAt >= before && grantedAt <= Date.now());
  assert.deepEqual(events, [
    {
      type: "approval.saved",
      session: "s",
      parentId: undefined,
      callId: "7",
      grantId: id,
      scope: "session",
    },
  ]);
});

test("a call without a command has no folder, and without a rule only the identical call is granted", async () => {
  const [[grant] = assert.fail("none saved")] = (
    await savedBy({ approved: true, scope: "always" }, ASK, [{ kind: "host", host: "a.com" }])
  ).saved;
  assert.deepEqual(
    [grant.scope, Object.hasOwn(grant, "folder"), Object.hasOwn(grant, "rule")],
    ["always", false, false],
  );
});

test("an offer is saved with its own scope and rule, and no other index or scope saves anything", async () => {
  const verdict: Verdict = { ...ASK, grant: NARROW, offers: OFFERS };
  const scopesAndRules = async (approval: object, on = verdict) =>
    (await savedBy({ approved: true, ...approval } as Approval, on)).saved.map(([{ scope, rule }]) => [
      scope,
      rule,
    ]);
  assert.deepEqual(await scopesAndRules({ scope: "always", offer: 0 }), [["session", WIDE]]);
  assert.deepEqual(await scopesAndRules({ scope: "once", offer: 0 }), [["session", WIDE]]);
  assert.deepEqual(await scopesAndRules({ scope: "always" }), [["always", NARROW]]);
  const none = [{ scope: "once" }, {}, { scope: "always", offer: 1 }, { scope: "always", offer: -1 }];
  for (const approval of none) assert.deepEqual(await scopesAndRules(approval), []);
  assert.deepEqual(await scopesAndRules({ scope: "always", offer: 0 }, { ...ASK, grant: NARROW }), []);
  const protectedOne: Verdict = { ...verdict, ungrantable: "protected" };
  assert.deepEqual(await scopesAndRules({ scope: "always" }, protectedOne), []);
  assert.deepEqual(await scopesAndRules({ scope: "always", offer: 0 }, protectedOne), [["session", WIDE]]);
  const odd: Verdict = { ...ASK, offers: [{ scope: "once" as never, label: "", rule: WIDE }] };
  assert.deepEqual(await scopesAndRules({ scope: "always", offer: 0 }, odd), []);
});

test("a resumed call saves what was shown to the person, whatever policy offers by now", async () => {
  const shown: Verdict = { ...ASK, grant: NARROW, offers: OFFERS };
  for (const [offer, saved] of [
    [undefined, { scope: "always", rule: NARROW }],
    [0, { scope: "session", rule: WIDE }],
  ] as const) {
    let verdict = shown;
    const grants = grantsOf();
    const policy: Policy = { judge: () => verdict };
    const engine = createEngine({ policy, grants, journal: createMemoryJournal(), tools: [toolOf()] });
    const pending = await engine.run(call("t"), { whenAsked: "return" });
    assert.ok("pending" in pending);
    verdict = { ...ASK, ungrantable: "no longer", grant: { ...WIDE, tool: "other" } };
    const decision = { approved: true, scope: "always", ...(offer !== undefined && { offer }) } as const;
    assert.equal(codeOf(await engine.resume(pending.token, decision)), "ok");
    const [[grant] = assert.fail("none saved")] = grants.added as [Grant][];
    const { scope, rule } = grant;
    assert.deepEqual({ scope, rule }, saved);
  }
});

/** A question about a path outside of the workspace, which a person can answer by adding its folder. */
const OUTSIDE: Verdict = {
  kind: "ask",
  reason: "it is outside",
  rule: WORKSPACE_BOUNDARY,
  ungrantable: "it is outside",
  offers: [{ scope: "session", label: "/x", rule: WIDE, adds: "/x" }],
};

test("an approval that adds a folder to the workspace is saved as one, and found for calls of any tool outside", async () => {
  const grants = grantsOf();
  const approver = approverOf({ approved: true, scope: "session", offer: 0 });
  const engine = createEngine({ policy: policyOf(OUTSIDE), grants, approver, tools: [toolOf()] });
  assert.equal(codeOf(await engine.run(call("t"), { session: "s", subject: "ann" })), "ok");
  const [saved] = grants.added as [Grant, string][];
  assert.deepEqual(
    [saved?.[0].tool, saved?.[0].hash, saved?.[0].adds, saved?.[0].rule, saved?.[0].subject],
    [WORKSPACE_GRANT, WORKSPACE_GRANT, "/x", undefined, "ann"],
  );
  assert.deepEqual(grants.queries[1], {
    session: "s",
    subject: "ann",
    tool: WORKSPACE_GRANT,
    hash: WORKSPACE_GRANT,
  });
});

test("with an added folder the call is judged anew: it runs, is another question, or is denied", async () => {
  const added = { ...grantAt(0), tool: WORKSPACE_GRANT, adds: "/x" };
  const other: Verdict = { kind: "ask", reason: "it writes", rule: "mode.auto.high" };
  const deny: Verdict = { kind: "deny", reason: "never", rule: "own" };
  for (const [granted, code, reasons] of [
    [ALLOW, "ok", []],
    [other, "ok", ["it writes"]],
    [deny, "DENIED", []],
  ] as const) {
    const approver = approverOf({ approved: true, scope: "once" });
    const policy = policyOf(OUTSIDE, granted);
    const engine = createEngine({ policy, grants: grantsOf(added), approver, tools: [toolOf()] });
    assert.equal(codeOf(await engine.run(call("t"))), code);
    assert.deepEqual(
      approver.asked.map(({ reason, isByMode }) => [reason, isByMode]),
      reasons.map((reason) => [reason, true]),
    );
  }
});

test("a suspended call that policy denies with a folder that was added since does not run", async () => {
  const found: Grant[] = [];
  const ran: (readonly Fact[])[] = [];
  const engine = createEngine({
    policy: policyOf(OUTSIDE, { kind: "deny", reason: "never", rule: "own" }),
    grants: { ...grantsOf(), find: async () => found },
    journal: createMemoryJournal(),
    tools: [toolOf([], ran)],
  });
  const pending = await engine.run(call("t"), { whenAsked: "return" });
  assert.ok("pending" in pending);
  found.push({ ...grantAt(0), tool: WORKSPACE_GRANT, adds: "/x" });
  const result = await engine.resume(pending.token, { approved: true, scope: "once" });
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /never/);
  assert.equal(ran.length, 0);
});
