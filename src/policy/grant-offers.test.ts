import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grant, GrantOffer } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import { jobOf, judgeBy, pathFact, shellJob, toolNamed } from "../../test/support/engines/policy-jobs.ts";

const edit = toolNamed("edit_file");

function offersOf(job: Job): readonly GrantOffer[] {
  return judgeBy([], job).offers ?? [];
}

/** Returns the verdict on a call after an offer of another one was saved. */
function afterOffer(offer: GrantOffer | undefined, job: Job): string {
  assert.ok(offer !== undefined, "something is offered");
  const { rule, scope } = offer;
  const grant: Grant = { id: "g", scope, hash: "h", tool: String(rule.tool), grantedAt: 0, rule };
  return judgeBy([], job, "auto", { grants: [grant] }).kind;
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
  "npm run",
  "npm",
  "npx eslint",
  "npm exec x",
  "npm run $x",
  "npm run ./x",
  "npm run -s build",
  "npm run /x/",
  "node x.js",
  "python x.py",
  "bash run.sh",
  "yarn run x",
  "env npm test",
  "X=1 npm test",
  "npm test; ls",
  "npm test > out",
  "./npm test",
]) {
  test(`no script is offered for: ${text}`, () => {
    assert.deepEqual(offersOf(shellJob(text)), []);
  });
}
