import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { readCommand } from "../../../shell/reader.ts";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { questionText } from "./question-text.ts";
import { answerOf, approvalQuestion } from "./approval-question.ts";
import { describeFacts } from "./describe-fact.ts";
import { describeGrant, describeRule } from "./describe-rule.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: { command: "npm test" },
  facts: [],
  reason: "it runs programs",
  hash: "h",
};
const EXACT = { tool: "shell", command: ["git", "push"], exact: true, decision: "allow" } as const;
const ON_FILE = { tool: "edit_file", path: "/w/src/a.ts", access: "write", decision: "allow" } as const;
const WIDE = { tool: "t", decision: "allow" } as const;
const OFFERS = [
  { scope: "always", label: "`npm test` in /w", rule: WIDE, warning: "the files decide what it runs" },
  { scope: "session", label: "write_file in the workspace", rule: WIDE },
] as const;
const ONCE = { ...REQUEST, ungrantable: "bash can run anything" };

const labelsOf = (request: ApprovalRequest): readonly string[] =>
  approvalQuestion(request).choices.map(({ id, label }) => `${id}: ${label}`);

for (const [what, request, labels] of [
  [
    "a call without a rule can be allowed once and for the session",
    REQUEST,
    ["once: Allow once", "session: Allow exactly this call for the rest of the session", "no: No"],
  ],
  [
    "always names the rule that it would save",
    { ...REQUEST, grant: EXACT },
    [
      "once: Allow once",
      "session: Allow exactly the command git push for the rest of the session",
      "always: Always allow exactly the command git push",
      "no: No",
    ],
  ],
  [
    "a rule for this input alone does not repeat it",
    { ...REQUEST, grant: { tool: "t", input: { start_line: 1 }, exact: true, decision: "allow" } },
    [
      "once: Allow once",
      "session: Allow exactly this call of t for the rest of the session",
      "always: Always allow exactly this call of t",
      "no: No",
    ],
  ],
  [
    "a rule for a file names it as relative to the folder",
    { ...REQUEST, tool: "edit_file", grant: ON_FILE, folder: "/w" },
    [
      "once: Allow once",
      "session: Allow edit_file on src/a.ts for the rest of the session",
      "always: Always allow edit_file on src/a.ts",
      "no: No",
    ],
  ],
  [
    "a rule with more conditions is described with all of them",
    { ...REQUEST, grant: { ...ON_FILE, source: "mcp:x" } },
    [
      "once: Allow once",
      "session: Allow edit_file, writing /w/src/a.ts, source mcp:x for the rest of the session",
      "always: Always allow edit_file, writing /w/src/a.ts, source mcp:x",
      "no: No",
    ],
  ],
  ["a call that cannot be granted is allowed once only", ONCE, ["once: Allow once", "no: No"]],
  [
    "wider rules are choices, also where the call itself cannot be granted",
    { ...ONCE, offers: OFFERS },
    [
      "once: Allow once",
      "1: Always allow `npm test` in /w",
      "2: Allow write_file in the workspace, for this session",
      "no: No",
    ],
  ],
  [
    "a running tool is answered with yes or no",
    { ...REQUEST, grant: EXACT, offers: OFFERS, question: { text: "go on?" } },
    ["yes: Yes", "no: No"],
  ],
] as const)
  test(what, () => assert.deepEqual(labelsOf(request), labels));

test("every choice has a key of its own, a denial is last, and each is answered with its approval", () => {
  for (const request of [REQUEST, { ...REQUEST, grant: EXACT, offers: OFFERS }, ONCE]) {
    const question = approvalQuestion(request);
    const keys = question.choices.map(({ key }) => key);
    assert.equal(new Set([...keys, "e"]).size, keys.length + 1, keys.join(" "));
    assert.equal(question.choices.at(-1)?.approval.approved, false);
    for (const { id, approval } of question.choices) assert.deepEqual(answerOf(question, id), approval);
  }
});

test("why a call can be allowed only once is said only if nothing lasts", () => {
  assert.equal(approvalQuestion(ONCE).onlyOnce, "bash can run anything");
  assert.equal(approvalQuestion({ ...ONCE, offers: OFFERS }).onlyOnce, undefined);
  assert.equal(approvalQuestion(REQUEST).onlyOnce, undefined);
});

const FORM = {
  ...REQUEST,
  question: { text: "who?", details: { form: { type: "object", properties: {} } } },
};
const YES = { approved: true, scope: "once" } as const;
for (const [what, request, id, extra, approval] of [
  [
    "a wider rule is answered with its index and scope",
    { ...REQUEST, offers: OFFERS },
    "2",
    {},
    { ...YES, scope: "session", offer: 1 },
  ],
  ["an edited input is allowed once", REQUEST, "once", { input: { a: 1 } }, { ...YES, input: { a: 1 } }],
  ["a filled-in form is a yes", FORM, "yes", { input: { a: 1 } }, { ...YES, input: { a: 1 } }],
  [
    "a denial has its reason",
    REQUEST,
    "no",
    { reason: "later" },
    { approved: false, reason: "later", declined: true },
  ],
] as const)
  test(what, () =>
    assert.deepEqual(answerOf(approvalQuestion(request), id, extra), approval satisfies Approval),
  );

for (const [what, request, id, extra, message] of [
  ["always without a rule", REQUEST, "always", {}, /unknown choice "always"; expected once, session or no/],
  ["a scope of a call that cannot be granted", ONCE, "session", {}, /unknown choice/],
  ["an offer that there is not", { ...REQUEST, offers: OFFERS }, "3", {}, /unknown choice "3"/],
  ["a name that objects inherit", REQUEST, "constructor", {}, /unknown choice/],
  ["an edited input that would last", REQUEST, "session", { input: {} }, /only be approved once/],
  ["an edited input of a denial", REQUEST, "no", { input: {} }, /input/],
  [
    "an input for a question without a form",
    { ...REQUEST, question: { text: "?" } },
    "yes",
    { input: {} },
    /once/,
  ],
  ["a reason for an approval", REQUEST, "once", { reason: "x" }, /denial/],
] as const)
  test(`${what} is not an answer`, () =>
    assert.throws(() => answerOf(approvalQuestion(request), id, extra), { code: "INVALID_INPUT", message }));

test("a rule is described with every condition", () => {
  for (const [rule, text] of [
    [{}, "every call"],
    [{ tool: ["a", "b"], path: "src/**", access: "write" }, "a or b, writing src/**"],
    [{ command: ["git", "commit -m"], folder: "/w" }, "command git 'commit -m', folder /w"],
    [{ tool: "x", input: { a: 1, b: "c d" }, exact: true }, "x, only with a=1 b='c d'"],
    [{ tool: "x", input: { a: [1] } }, "x, with a=[1]"],
    [{ tool: "x", input: {}, exact: true }, "x, only without input"],
    [
      { domain: "*.example.com", source: "mcp:a", group: "web" },
      "host *.example.com, source mcp:a, group web",
    ],
  ] as const)
    assert.equal(describeRule(rule), text);
  const grant = { id: "1", scope: "always", hash: "h", tool: "x", grantedAt: 0 } as const;
  assert.equal(describeGrant(grant), "exactly one call of x");
});

test("what a call touches is named once, and only a file that it would create is new", () => {
  const written = { kind: "path", path: "/w/a", access: "write" } as const;
  const guess = { kind: "path", path: "/w/console.log", access: "read", suspected: true } as const;
  for (const [facts, texts] of [
    [[written, written], ["write a (new)"]],
    [[{ ...written, inode: 1 }], ["write a"]],
    [[{ ...written, change: "delete" }], ["delete a"]],
    [[{ ...written, path: "/w/*", suspected: true }], ["write *"]],
    [[{ ...written, access: "read" }], ["read a"]],
    [[guess], []],
    [[{ ...guess, path: "/w/keys/*" }], ["read keys/*"]],
    [[{ ...guess, inode: 1 }], ["read console.log"]],
  ] as const)
    assert.deepEqual(
      describeFacts(facts, "/w").map(({ text }) => text),
      texts,
    );
});

for (const [command, touched] of [
  ["/bin/rm a", ["delete a"]],
  ["rm -r a; touch b", ["delete a", "write b (new)"]],
  ["rm a; touch a", ["write a (new)"]],
  ["rm a; echo x > a", ["write a (new)"]],
  ["git rm a && touch b", ["delete a", "write b (new)"]],
  ["rm *.log", ["delete *.log"]],
  ['rm "$DIR"/a', ["perhaps delete /a"]],
  ["find . -name '*.log' | xargs rm", ["perhaps delete /w", "perhaps delete *.log", "perhaps delete *"]],
  ["find . -type f -exec rm {} +", ["perhaps delete {}"]],
  ["cp a.ts b.ts", ["read a.ts", "write b.ts (new)"]],
] as const)
  test(`${command}: ${touched.join(", ")}`, () => {
    assert.deepEqual(touchedBy(command), touched);
  });

for (const [command, runs] of [
  ["ls | xargs rm", ["runs: ls", "runs: xargs rm", "runs: rm … (by xargs)"]],
  ['echo x > "$OUT"', ["runs: echo x > …"]],
  ["rm *.log '*.tmp' $A", ["runs: rm *.log '*.tmp' $A…", "runs: rm *.log '*.tmp'"]],
] as const)
  test(`the programs of ${command} are named once, without guessed words`, () => {
    const { programs = [] } = describeFacts([commandFact(command)], "/w")[0] ?? {};
    assert.deepEqual(
      programs.filter((line) => line.startsWith("runs: ")),
      runs,
    );
  });

function commandFact(text: string) {
  const fact = { kind: "command", text, cwd: "/w" } as const;
  return { ...fact, reading: readCommand(fact) };
}

/** Returns what a command in an empty folder `/w` is shown to write, and to read below it. */
function touchedBy(text: string): readonly string[] {
  const fact = commandFact(text);
  const paths = fact.reading.paths.map(({ text: name, cwd, access, suspected }) => ({
    kind: "path" as const,
    path: resolve(cwd, name),
    access,
    ...(suspected && { suspected }),
  }));
  const [, ...touched] = describeFacts([fact, ...paths], "/w");
  return touched.map((one) => one.text).filter((one) => one !== "read /w");
}

test("paths in the folder of a request are relative to it, and the question names it", () => {
  const path = (name: string) => ({ kind: "path", path: name, access: "write" }) as const;
  const of = (facts: ApprovalRequest["facts"]) => approvalQuestion({ ...REQUEST, facts, folder: "/w" });
  const within = of([path("/w/src/a.ts"), path("/w"), path("/wide/b.ts")]);
  assert.deepEqual(
    within.touches.map(({ text }) => text),
    ["write src/a.ts (new)", "write /w (new)", "write /wide/b.ts (new)"],
  );
  assert.equal(within.folder, "/w");
  assert.equal(of([path("/w/src/a.ts")]).heading, "Create src/a.ts");
  assert.match(questionText(within), /^\nCreate 3 files \(shell, high risk\)\n {2}in \/w\n/);
  const outside = of([path("/wide/b.ts")]);
  assert.equal(outside.folder, undefined);
  assert.equal(outside.heading, "Create /wide/b.ts");
});

test("a thing that several programs of a command touch is listed once", () => {
  const write = { kind: "path", path: "/w/a", access: "write" } as const;
  const { touches } = approvalQuestion({ ...REQUEST, facts: [write, { ...write, path: "/w/b" }, write] });
  assert.deepEqual(
    touches.map(({ text }) => text),
    ["write /w/a (new)", "write /w/b (new)"],
  );
});
