import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../core/rule.ts";
import type { People, Subject } from "../core/subject.ts";
import type { Mode } from "../core/policy.ts";
import { call } from "../../test/support/engines/engine.ts";
import { toolNamed } from "../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "./policy.ts";

const ADA: Subject = { id: "ada", groups: ["data"], roles: ["caller"] };
const EVE: Subject = { id: "eve", groups: [], roles: [] };
const DATA: People = { groups: ["data"] };

/** Returns the verdict on a call of a user, under these rules. */
function judge(rules: readonly Rule[], subject: Subject | undefined, mode: Mode = "auto") {
  const tool = toolNamed("db_query", "medium");
  const policy = createPolicy({ mode, workspace: ["/w"], layers: [{ name: "user", rules, mayAllow: true }] });
  const job = { call: call("db_query"), tool, input: {}, hidden: {}, facts: [], risk: "medium" as const };
  return policy.judge(job, subject === undefined ? {} : { subject });
}

const kindOf = (rule: Rule, subject: Subject | undefined, mode: Mode = "auto") =>
  judge([rule], subject, mode).kind;

test("a rule that allows with who or except allows only users who are known to be meant", () => {
  for (const who of [DATA, { roles: ["caller"] }, { people: ["ada"] }, { people: ["x"], groups: ["data"] }]) {
    const rule = { decision: "allow", who } as const;
    assert.equal(kindOf(rule, ADA), "allow", JSON.stringify(who));
    for (const other of [EVE, undefined]) assert.equal(kindOf(rule, other), "ask", JSON.stringify(who));
  }
  assert.equal(kindOf({ decision: "allow", who: DATA }, { id: "ada" }), "ask");
  const others = { decision: "allow", except: DATA } as const;
  assert.equal(kindOf(others, EVE), "allow");
  for (const one of [ADA, { id: "ada" }, undefined]) assert.equal(kindOf(others, one), "ask");
});

test("a rule that denies with who denies its people, and a call of an unknown user needs approval in every mode", () => {
  const rule = { decision: "deny", who: DATA } as const;
  for (const mode of ["auto", "yolo"] as const) {
    assert.equal(kindOf(rule, ADA, mode), "deny");
    assert.equal(kindOf(rule, EVE, mode), mode === "yolo" ? "allow" : "ask");
    for (const unknown of [undefined, { id: "ada" }, { id: "ada", roles: [] }])
      assert.equal(kindOf(rule, unknown, mode), "ask");
  }
  assert.match(judge([rule], undefined, "yolo").reason, /may do what is denied/);
});

test("a rule that denies with except denies all who are not known to be its people", () => {
  const rule = { decision: "deny", except: DATA } as const;
  assert.equal(kindOf(rule, ADA, "yolo"), "allow");
  for (const other of [EVE, undefined, { id: "ada" }]) assert.equal(kindOf(rule, other, "yolo"), "deny");
});

test("the rules of a user hold for that user, whatever calls of others were judged before", () => {
  const rules: readonly Rule[] = [
    { decision: "deny", who: { people: ["eve"] } },
    { decision: "allow", who: DATA },
  ];
  const tool = toolNamed("db_query", "medium");
  const policy = createPolicy({
    mode: "auto",
    workspace: [],
    layers: [{ name: "user", rules, mayAllow: true }],
  });
  const job = { call: call("db_query"), tool, input: {}, hidden: {}, facts: [], risk: "medium" as const };
  const changing = { id: "bob", groups: ["data"], roles: [] };
  const kinds = [ADA, EVE, changing, ADA, EVE].map((subject) => policy.judge(job, { subject }).kind);
  assert.deepEqual(kinds, ["allow", "deny", "allow", "allow", "deny"]);
  changing.groups = [];
  assert.equal(policy.judge(job, { subject: changing }).kind, "ask");
});

test("a rule that names approvers asks in every mode, is not allowed by others, and offers no lasting approval", () => {
  const dba = { groups: ["dba"], count: 2 };
  const ask: Rule = { decision: "ask", who: DATA, approvers: dba };
  for (const mode of ["auto", "yolo", "ask"] as const) {
    const verdict = judge([ask, { decision: "allow" }], ADA, mode);
    assert.equal(verdict.kind, "ask");
    assert.deepEqual(verdict.approvers, [dba]);
    assert.deepEqual([verdict.grant, verdict.offers], [undefined, undefined]);
    assert.match(verdict.ungrantable ?? "", /names who approves/);
    assert.match(verdict.reason, /by 2 different people: group dba$/);
  }
  const second: Rule = { decision: "ask", approvers: { people: ["root"], notSelf: true } };
  assert.equal(judge([ask, second], ADA, "yolo").approvers?.length, 2);
  assert.equal(judge([ask], EVE, "yolo").kind, "allow");
  assert.deepEqual(judge([ask], undefined, "yolo").approvers, [dba]);
  assert.equal(judge([ask, { decision: "deny" }], ADA).kind, "deny");
});

test("only a rule that asks can name approvers", () => {
  for (const decision of ["allow", "deny"] as const)
    assert.throws(() => judge([{ decision, approvers: { count: 2 } }], ADA), /only a rule that asks/);
});

test("a rule about nobody, or with a count that demands no approval, is refused", () => {
  for (const rule of [
    { decision: "deny", who: {} },
    { decision: "deny", who: { group: ["data"] } },
    { decision: "allow", except: { groups: [] } },
  ])
    assert.throws(() => judge([rule as never], ADA), /expected people, groups or roles/);
  for (const count of [0, -1, 1.5, Number.NaN])
    assert.throws(() => judge([{ decision: "ask", approvers: { count } }], ADA), /expected 1 or more/);
});
