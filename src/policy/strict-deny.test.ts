import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME, toolNamed } from "../../test/support/engines/policy-jobs.ts";
import { KNOWLEDGE, shellSubject } from "../../test/support/engines/shell-subject.ts";
import type { CommandFact } from "../core/fact.ts";
import type { Rule } from "../core/rule.ts";
import type { Limits, StrictDeny } from "./layers/limits.ts";
import { createRuleSet } from "./layers/rule-set.ts";
import { BUILT_IN } from "./match/compile-rule.ts";
import { hasOwnDenies, strictDemand } from "./strict-deny.ts";

const TOOL = { ...toolNamed("shell", "high"), place: "sandbox" } as const;
const BOX: StrictDeny = { sandbox: { hasNetwork: false, holds: () => true } };
const ENV: Rule = { path: "**/.env", decision: "deny" };

function limitsOf(rules: readonly Rule[], strictDeny: StrictDeny | undefined = BOX, layer = "user"): Limits {
  const set = createRuleSet([{ name: layer, rules, mayAllow: true }], {
    workspace: ["/w"],
    home: HOME,
    knowledge: KNOWLEDGE,
  });
  return { strictDeny, rules: [set.forTool(TOOL, undefined)] } as unknown as Limits;
}

/** Returns what strictDeny demands: nothing, the sandbox alone, approval, or that the call is refused. */
async function demandOf(
  text: string | readonly string[],
  limits: Limits = limitsOf([ENV]),
  changes: Partial<CommandFact> = {},
  tool: object = TOOL,
): Promise<string> {
  const subject = await shellSubject(text, [], changes);
  const job = { ...subject.job, tool: { ...subject.job.tool, ...tool } };
  const demand = strictDemand({ ...subject, job }, limits);
  if (demand === undefined) return "nothing";
  return demand.refusal?.kind ?? demand.question?.kind ?? "sandbox";
}

for (const [text, expected] of [
  ["ls", "nothing"],
  ["cat a", "nothing"],
  ["cp a b", "nothing"],
  ["rm a", "nothing"],
  ["python3 a.py", "sandbox"],
  ["python3 --version", "nothing"],
  ["mytool", "sandbox"],
  ["ls; mytool", "sandbox"],
  ["npm test", "sandbox"],
  ["make", "sandbox"],
  ["docker ps", "sandbox"],
  ["sh a", "sandbox"],
  [". a", "sandbox"],
  ["$x", "sandbox"],
  ["(ls", "sandbox"],
  ['eval "$x"', "sandbox"],
  ["echo a > f; ./f", "sandbox"],
  ["/bin/cp a b", "nothing"],
  ["/sbin/cp a b", "nothing"],
  ["/usr/bin/cp a b", "nothing"],
  ["/usr/sbin/cp a b", "nothing"],
  ["/usr/local/bin/cp a b", "nothing"],
  ["./cp a b", "sandbox"],
  ["/w/bin/cp a b", "sandbox"],
  ["/w/usr/bin/cp a b", "sandbox"],
  ["/opt/cp a b", "sandbox"],
  ["/bin/x/cp a b", "sandbox"],
  ["/usr/lib/bin/cp a b", "sandbox"],
  ["alias a=b; cp a b", "sandbox"],
  ["hash -p x cp; cp a b", "sandbox"],
  ["enable -f x y; cp a b", "sandbox"],
  ["A=1 cp a b", "sandbox"],
  ["a=1 cp a b", "nothing"],
  ["PATH=x cp a b", "sandbox"],
  ["LD_PRELOAD=x cp a b", "sandbox"],
  ["LC_ALL=x cp a b", "nothing"],
  ["LANG=x LANGUAGE=y TZ=z cp a b", "nothing"],
  ["TERM=x COLUMNS=1 LINES=1 cp a b", "nothing"],
  ["NO_COLOR=1 FORCE_COLOR=1 CI=1 DEBUG=x cp a b", "nothing"],
  ["XLANG=x cp a b", "sandbox"],
  ["LANGX=x cp a b", "sandbox"],
  ["LC_1=x cp a b", "sandbox"],
  ["aB=1 cp a b", "sandbox"],
  ["a+=1 cp a b", "nothing"],
  ["export PATH=x; cp a b", "sandbox"],
  ["declare PATH=x; cp a b", "sandbox"],
  ["typeset PATH=x; cp a b", "sandbox"],
  ["readonly PATH=x; cp a b", "sandbox"],
  ["local PATH=x; cp a b", "sandbox"],
  ["export -p; cp a b", "nothing"],
  ["export PATH; cp a b", "nothing"],
  ["export $x; cp a b", "sandbox"],
  ["export a=$x; cp a b", "nothing"],
  ["declare -x=y; cp a b", "nothing"],
  ["cp PATH=x b", "nothing"],
] as const)
  test(`beside a deny rule about a path, strictDeny demands of ${text}: ${expected}`, async () => {
    assert.equal(await demandOf(text), expected);
  });

for (const [rules, expected] of [
  [[], "nothing"],
  [[{ decision: "deny" }], "nothing"],
  [[{ path: "a", decision: "ask" }], "nothing"],
  [[{ path: "a", decision: "allow" }], "nothing"],
  [[ENV], "sandbox"],
  [[{ path: "a", access: "read", decision: "deny" }], "sandbox"],
  [[{ path: "a", access: "write", decision: "deny" }], "ask"],
  [[{ command: ["rm"], decision: "deny" }], "ask"],
  [[{ domain: "a.com", decision: "deny" }], "sandbox"],
  [[ENV, { command: ["rm"], decision: "deny" }], "ask"],
] as const satisfies readonly (readonly [readonly Rule[], string])[])
  test(`an unknown program beside the rules ${JSON.stringify(rules)}: ${expected}`, async () => {
    assert.equal(await demandOf("mytool", limitsOf(rules)), expected);
    assert.equal(hasOwnDenies(limitsOf(rules)), expected !== "nothing");
  });

test("strictDeny concerns neither built-in rules nor calls without a command, and nothing without the setting", async () => {
  assert.equal(await demandOf("mytool", limitsOf([ENV], BOX, BUILT_IN)), "nothing");
  assert.equal(await demandOf([], limitsOf([ENV])), "nothing");
  const { strictDeny: _, ...without } = limitsOf([ENV]);
  assert.equal(await demandOf("mytool", { ...without, strictDeny: undefined }), "nothing");
  assert.equal(hasOwnDenies({ ...without, strictDeny: undefined }), false);
});

test("a command of one of several calls for the sandbox, and input for a running program always does", async () => {
  assert.equal(await demandOf(["ls", "mytool"]), "sandbox");
  assert.equal(await demandOf("cp a b", limitsOf([ENV]), { interactive: true }), "sandbox");
});

test("what no sandbox can hold is refused, with the reason", async () => {
  const refusalOf = async (
    strictDeny: StrictDeny,
    rules = [ENV],
    changes: Partial<CommandFact> = {},
    tool: object = TOOL,
  ) => {
    const subject = await shellSubject("mytool", [], changes);
    const job = { ...subject.job, tool: { ...subject.job.tool, ...tool } };
    return strictDemand({ ...subject, job }, limitsOf(rules, strictDeny))?.refusal;
  };
  const none = await refusalOf({});
  assert.deepEqual(none, {
    kind: "deny",
    rule: "strict-deny",
    reason: '"shell" is refused: strictDeny lets mytool run only in a sandbox, and none works here',
    hint: "toolwright doctor says which sandboxes work",
  });
  assert.match((await refusalOf({ reason: "bwrap is missing" }))?.reason ?? "", /and bwrap is missing$/);
  const network: StrictDeny = { sandbox: { hasNetwork: true, holds: () => true } };
  assert.equal(await refusalOf(network), undefined);
  const byHost = await refusalOf(network, [ENV, { domain: "a.com", decision: "deny" }]);
  assert.match(byHost?.reason ?? "", /it has a network, but a rule denies a host$/);
  assert.equal(byHost?.hint, undefined);
  assert.match((await refusalOf(BOX, [ENV], { outside: true }))?.reason ?? "", /the call asks for the host$/);
  assert.match(
    (await refusalOf(BOX, [ENV], {}, { place: "host" }))?.reason ?? "",
    /"shell" does not run there$/,
  );
  const other: StrictDeny = { sandbox: { hasNetwork: false, holds: () => false } };
  assert.match((await refusalOf(other))?.reason ?? "", /"shell" does not run there$/);
});

test("a question names the rule, or its reason, and says that no grant is possible", async () => {
  const questionOf = async (rule: Rule, text = "mytool") =>
    strictDemand({ ...(await shellSubject(text)), job: await boxedJob(text) }, limitsOf([rule]))?.question;
  assert.deepEqual(await questionOf({ id: "x", command: ["rm"], decision: "deny" }), {
    kind: "ask",
    rule: "x",
    reason: "strictDeny: mytool may do what is denied: the rule x",
    ungrantable: "it may do what a rule denies",
  });
  const named = await questionOf({ command: ["rm"], decision: "deny", reason: "never" }, "$x");
  assert.equal(
    named?.reason,
    "strictDeny: a command whose programs are not known may do what is denied: never",
  );
});

async function boxedJob(text: string) {
  const { job } = await shellSubject(text);
  return { ...job, tool: { ...job.tool, place: "sandbox" as const } };
}
