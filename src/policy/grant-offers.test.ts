import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grant, GrantOffer } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import { judgeShell } from "../../test/support/engines/judge-shell.ts";
import {
  WORKSPACE,
  jobOf,
  judgeBy,
  pathFact,
  shellJob,
  toolNamed,
} from "../../test/support/engines/policy-jobs.ts";

const edit = toolNamed("edit_file");

function offersOf(job: Job): readonly GrantOffer[] {
  return judgeBy([], job).offers ?? [];
}

/** Returns the verdict on a call after an offer of another one was saved. */
function afterOffer(offer: GrantOffer | undefined, job: Job): string {
  assert.ok(offer !== undefined, "something is offered");
  const { scope, more = [] } = offer;
  const grants = [offer.rule, ...more].map((rule): Grant => ({
    id: "g",
    scope,
    hash: "h",
    tool: String(rule.tool),
    grantedAt: 0,
    rule,
  }));
  return judgeBy([], job, "auto", { grants }).kind;
}

const editOf = (...paths: readonly string[]): Job =>
  jobOf(
    paths.map((path) => pathFact(path, "write")),
    { tool: edit },
  );

test("an edit offers its folder for always, and the workspace for the session", () => {
  const [always, session] = offersOf(editOf("/w/src/a.ts"));
  assert.deepEqual([always?.scope, always?.label], ["always", "edit_file in src/"]);
  assert.deepEqual([session?.scope, session?.label], ["session", "edit_file in the workspace"]);
  for (const [path, kind] of [
    ["/w/src/a.ts", "allow"],
    ["/w/src/deep/b.ts", "allow"],
    ["/w/a.ts", "ask"],
    ["/w/src2/a.ts", "ask"],
    ["/w/src/.git/hooks/x", "ask"],
    ["/w/src/.envrc", "ask"],
    ["/etc/x", "deny"],
  ] as const)
    assert.equal(afterOffer(always, editOf(path)), kind, path);
  assert.equal(afterOffer(session, editOf("/w/a.ts")), "allow");
  assert.equal(afterOffer(session, editOf("/etc/x")), "deny");
  const other = jobOf([pathFact("/w/src/a.ts", "write")], { tool: toolNamed("delete_file", "high") });
  assert.equal(afterOffer(always, other), "ask");
});

test("a call on several files offers the folder that contains all of them, never the whole workspace for always", () => {
  assert.equal(offersOf(editOf("/w/src/a/x", "/w/src/b/y"))[0]?.label, "edit_file in src/");
  for (const job of [editOf("/w/a"), editOf("/w/src/a", "/w/test/b")])
    assert.deepEqual(
      offersOf(job).map(({ scope }) => scope),
      ["session"],
    );
});

test("a folder whose name has pattern characters is offered literally", () => {
  const [always] = offersOf(editOf("/w/[ab]/x"));
  assert.equal(afterOffer(always, editOf("/w/[ab]/y")), "allow");
  assert.equal(afterOffer(always, editOf("/w/a/y")), "ask");
});

test("a tool whose patches can delete is offered with a warning", () => {
  const tool = { ...edit, riskOf: () => "medium" as const };
  assert.match(offersOf(jobOf([pathFact("/w/s/a", "write")], { tool }))[0]?.warning ?? "", /deleting/);
});

test("deletions, reads, unread files, hosts and tools of others offer no folder", () => {
  const fact = pathFact("/w/src/a", "write");
  for (const job of [
    jobOf([fact], { tool: toolNamed("delete_file", "high") }),
    jobOf([pathFact("/w/src/a")], { tool: edit }),
    jobOf([{ ...fact, unread: true }], { tool: edit }),
    jobOf([fact, { kind: "host", host: "a.com" }], { tool: edit }),
    jobOf([fact], { tool: { ...edit, source: "extension:x" } }),
    jobOf([{ ...fact, path: "/w/.git/hooks/x" }], { tool: edit }),
  ])
    assert.deepEqual(offersOf(job), []);
});

for (const text of ["npm test", "npm run build", "npm run lint:fix", "npm start"]) {
  test(`\`${text}\` is offered in its folder, with a warning, and stays ungrantable otherwise`, () => {
    const { offers = [], grant } = judgeBy([], shellJob(text));
    assert.equal(grant, undefined);
    const [offer] = offers;
    assert.match(offer?.warning ?? "", /files of the project decide/);
    assert.equal(offer?.rule.folder, "/w");
    assert.equal(afterOffer(offer, shellJob(text)), "allow");
    assert.equal(afterOffer(offer, shellJob(text, "/w/sub")), "ask");
    for (const other of [
      `${text} -- x`,
      `${text} --prefix sub`,
      `X=1 ${text}`,
      `${text} > out`,
      `${text}; npm run x`,
      "npm run evil",
    ])
      assert.equal(afterOffer(offer, shellJob(other)), "ask", other);
  });
}

for (const text of [
  "python x.py",
  "bash run.sh",
  "npm ci",
  "npm exec x",
  "npm run ./x",
  "./npm test",
  "npm test; npm run lint",
  "cd sub && npm test",
])
  test(`\`${text}\` is offered with a warning, and then runs with these words in this folder only`, () => {
    const [offer] = offersOf(shellJob(text));
    assert.ok(offer !== undefined && offer.warning !== undefined);
    assert.match(offer.label, / in this folder$/);
    assert.equal(afterOffer(offer, shellJob(text)), "allow");
    for (const other of [`${text} x`, `${text}; rm -rf y`, `X=1 ${text}`, `${text} > out`])
      assert.equal(afterOffer(offer, shellJob(other)), "ask", other);
    assert.equal(afterOffer(offer, shellJob(text, "/w/other")), "ask");
  });

for (const [text, prefix, also] of [
  ["pytest -q tests/a.py", ["pytest"], "pytest tests/b.py -x"],
  ["cargo test --lib", ["cargo", "test"], "cargo test"],
  ["go test ./...", ["go", "test"], "go test -run x ./a"],
] as const)
  test(`the first words of \`${text}\` are offered, with any others`, async () => {
    const { offers = [] } = await judgeShell(text, []);
    const [offer] = offers;
    assert.ok(offer !== undefined && offers.length === 1);
    assert.deepEqual(
      [offer.rule.command, offer.rule.folder, offer.rule.exact],
      [prefix, WORKSPACE, undefined],
    );
    const layer = { name: "user", rules: [offer.rule], mayAllow: true };
    assert.equal((await judgeShell(also, [layer])).kind, "allow");
    for (const other of [
      `${prefix[0]}2 a`,
      `${also}; rm x`,
      `X=1 ${also}`,
      `./${also}`,
      `${also} > out`,
      `cd sub && ${also}`,
    ])
      assert.equal((await judgeShell(other, [layer])).kind, "ask", other);
  });

for (const text of ["docker compose up", "npm install x", "node a.js", "git push origin", "rm -rf build"])
  test(`the first words of \`${text}\` are never offered`, async () => {
    const { offers = [] } = await judgeShell(text, []);
    for (const { rule } of offers) assert.equal(rule.exact, true);
  });

for (const text of [
  "npm",
  "node",
  "npx",
  "sudo make",
  "npm run $x",
  "env npm test",
  "X=1 npm test",
  "npm test > out",
  "rm -rf build",
  "git commit -m x",
  "find . -exec rm {} +",
]) {
  test(`no wider rule is offered for: ${text}`, () => {
    assert.deepEqual(offersOf(shellJob(text)), []);
  });
}
