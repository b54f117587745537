import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grant } from "../core/grant.ts";
import type { AfterUntrustedText, Circumstances, Mode } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import type { Risk } from "../core/spec.ts";
import {
  COMMANDS,
  jobOf,
  judgeBy,
  kindBy,
  shellJob,
  toolNamed,
} from "../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "./policy.ts";

const UNTRUSTED: Circumstances = { untrusted: ["a page"] };
const HOST: Rule = { domain: "a.com", decision: "allow" };
const MADE: Rule = { ...HOST, afterUntrustedText: true };

function fetchOf(host = "a.com", risk: Risk = "medium") {
  return jobOf([{ kind: "host", host }], { tool: toolNamed("web_fetch", risk) });
}

function grantOf(rule?: Rule): Grant {
  return {
    id: "g",
    scope: "session",
    hash: "h",
    tool: "web_fetch",
    grantedAt: 0,
    ...(rule !== undefined && { rule }),
  };
}

test("after text from outside a call that sends needs approval despite rules that allow it", () => {
  assert.equal(kindBy([HOST], fetchOf()), "allow");
  const { kind, rule, reason, hint, grant } = judgeBy([HOST], fetchOf(), "auto", UNTRUSTED);
  assert.deepEqual(
    [kind, rule, grant],
    [
      "ask",
      "untrusted-text",
      { tool: "web_fetch", domain: ["a.com"], decision: "allow", afterUntrustedText: true },
    ],
  );
  assert.match(reason, /it sends a request to a\.com, and a page is in this session/);
  assert.match(hint ?? "", /"afterUntrustedText": true/);
  for (const [untrusted, text] of [
    [["a page", "a mail"], /a page and 1 more is in this session/],
    [["a page", "a mail", "a file"], /a page and 2 more is/],
    [[], /text from outside is in this session/],
  ] as const)
    assert.match(judgeBy([HOST], fetchOf(), "auto", { untrusted }).reason, text);
});

test("the question names no rule if none describes the call", () => {
  const { kind, grant } = judgeBy([], shellJob("./x http://a.com"), "auto", UNTRUSTED);
  assert.deepEqual([kind, grant], ["ask", undefined]);
});

test("a rule or a grant that was made for it allows the call, and no other", () => {
  assert.equal(kindBy([MADE], fetchOf(), "auto", UNTRUSTED), "allow");
  assert.equal(kindBy([MADE], fetchOf("b.com"), "auto", UNTRUSTED), "ask");
  assert.equal(kindBy([{ ...MADE, decision: "ask" }], fetchOf(), "auto", UNTRUSTED), "ask");
  const grantedBy = (rule: Rule | undefined, hash: string): string =>
    kindBy([], fetchOf(), "auto", { ...UNTRUSTED, grants: [grantOf(rule)], hash: () => hash });
  // The engine passes those grants only that were made since the text came.
  assert.equal(grantedBy(HOST, "other"), "allow");
  assert.equal(grantedBy({ ...HOST, domain: "b.com" }, "other"), "ask");
  assert.equal(grantedBy(undefined, "h"), "allow");
  assert.equal(grantedBy(undefined, "other"), "ask");
});

test("calls that send nothing, of low risk, or in a sandbox without network need no approval for it", () => {
  assert.equal(kindBy([], fetchOf("a.com", "low"), "auto", UNTRUSTED), "allow");
  assert.equal(kindBy([], shellJob("ls -la"), "auto", UNTRUSTED), "allow");
  const inSandbox = (isConfined: boolean): string => {
    const sandbox = { isConfined: () => isConfined, runsUnasked: false };
    const layers = [{ name: "user", rules: [HOST], mayAllow: true }];
    const policy = createPolicy({ mode: "auto", workspace: ["/w"], layers, commands: COMMANDS, sandbox });
    return policy.judge(fetchOf(), UNTRUSTED).kind;
  };
  assert.deepEqual([inSandbox(true), inSandbox(false)], ["allow", "ask"]);
});

for (const [mode, afterUntrustedText, kind] of [
  ["yolo", undefined, "allow"],
  ["yolo", "ask", "allow"],
  ["yolo", "always", "ask"],
  ["yolo", "off", "allow"],
  ["auto", undefined, "ask"],
  ["auto", "ask", "ask"],
  ["auto", "always", "ask"],
  ["auto", "off", "allow"],
] as const satisfies readonly (readonly [Mode, AfterUntrustedText | undefined, string])[])
  test(`in mode ${mode} with afterUntrustedText ${afterUntrustedText} the answer is ${kind}`, () => {
    const layers = [{ name: "user", rules: [HOST], mayAllow: true }];
    const policy = createPolicy({
      mode,
      workspace: ["/w"],
      layers,
      ...(afterUntrustedText !== undefined && { afterUntrustedText }),
    });
    assert.equal(policy.judge(fetchOf(), UNTRUSTED).kind, kind);
    assert.equal(policy.judge(fetchOf()).kind, "allow");
  });

test("in yolo under a ceiling of a stricter mode the question is asked", () => {
  const circumstances: Circumstances = { ...UNTRUSTED, ceilings: [{ mode: "auto" }] };
  assert.equal(kindBy([HOST], fetchOf(), "yolo", circumstances), "ask");
});

test("a call without facts is judged by the modes, also after text from outside", () => {
  const job = jobOf([], { tool: toolNamed("count", "low") });
  assert.equal(kindBy([], job, "auto", UNTRUSTED), "allow");
  assert.equal(kindBy([], job, "ask", UNTRUSTED), "ask");
});
