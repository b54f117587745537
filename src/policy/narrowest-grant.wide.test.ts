import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Fact } from "../core/fact.ts";
import type { Grant } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import type { Rule } from "../core/rule.ts";
import { jobOf, judgeBy, pathFact, shellJob, toolNamed } from "../../test/support/engines/policy-jobs.ts";
import { runs } from "../../test/support/property-runs.ts";

const write = toolNamed("write_file");
const fetch = toolNamed("web_fetch");

function granted(rule: Rule | undefined, tool: string): { readonly grants: readonly Grant[] } {
  const grant = { id: "g", scope: "always", hash: "of the first call", tool, grantedAt: 0 } as const;
  return { grants: [rule === undefined ? grant : { ...grant, rule }] };
}

/** Returns the verdict on a call after another one was granted permanently. */
function afterGrant(first: Job, second: Job): string {
  const { grant } = judgeBy([], first);
  assert.notEqual(grant, undefined, "something is offered");
  return judgeBy([], second, "auto", granted(grant, first.tool.name)).kind;
}

test("a command is granted literally", () => {
  const first = shellJob("git commit -m a");
  const { grant } = judgeBy([], first);
  assert.deepEqual(grant, {
    tool: "shell",
    command: ["git", "commit", "-m", "a"],
    exact: true,
    decision: "allow",
  });
  assert.equal(afterGrant(first, shellJob("git  commit -m 'a'")), "allow");
  for (const neighbour of [
    "git push",
    "git commit -m b",
    "git commit -m a --amend",
    "git commit -m a; ls > x",
    "git commit -m a > x",
    "X=1 git commit -m a",
    "./git commit -m a",
    "git commit -m $a",
  ]) {
    assert.equal(afterGrant(first, shellJob(neighbour)), "ask", neighbour);
  }
});

test("a redirect is granted with exactly the file it writes", () => {
  const first = shellJob("echo a > out.txt");
  assert.equal(afterGrant(first, first), "allow");
  assert.equal(afterGrant(first, shellJob("echo a > other.txt")), "ask");
  assert.equal(afterGrant(first, shellJob("echo b > out.txt")), "ask");
});

for (const command of [
  "bash -c 'git diff'",
  "python x.py",
  "env make",
  "sudo make",
  "npm run x",
  "X=1 make",
  "make; make install",
  "make $x",
  "./build.sh",
])
  test(`no narrow rule describes ${command}, and the same words can be allowed for the session`, () => {
    const { kind, grant, ungrantable } = judgeBy([], shellJob(command));
    assert.deepEqual([kind, grant, ungrantable], ["ask", undefined, undefined]);
    const exact = granted(undefined, "shell");
    const hash = { ...exact, hash: () => "of the first call" };
    assert.equal(judgeBy([], shellJob(command), "auto", hash).kind, "allow");
  });

for (const [command, why] of [
  ["echo 'open", /cannot be analyzed/],
  ["cp a .git/config", /every time/],
  ["shutdown now", /irreversible/],
] as const)
  test(`no lasting grant is offered for: ${command}`, () => {
    const { kind, grant, ungrantable } = judgeBy([], shellJob(command));
    assert.deepEqual([kind, grant], ["ask", undefined]);
    assert.match(ungrantable ?? "", why);
  });

test("a file tool is granted exactly its path, even if its name contains pattern characters", () => {
  for (const path of ["/w/a", "/w/*", "/w/{a,b}", "/w/[x]", String.raw`/w/back\slash`]) {
    const first = jobOf([pathFact(path, "write")], { tool: write, input: { content: "1" } });
    assert.equal(afterGrant(first, { ...first, input: { content: "2" } }), "allow", path);
    assert.equal(afterGrant(first, jobOf([pathFact("/w/b", "write")], { tool: write })), "ask", path);
    assert.equal(afterGrant(first, jobOf([pathFact(`${path}/x`, "write")], { tool: write })), "ask", path);
    assert.equal(afterGrant(first, { ...first, tool: toolNamed("delete_file") }), "ask", path);
  }
});

test("a call that reads one path and writes another is granted in this direction only", () => {
  const copy = toolNamed("copy_file");
  const one = jobOf([pathFact("/w/a"), pathFact("/w/b", "write")], {
    tool: copy,
    input: { from: "a", to: "b" },
  });
  const back = jobOf([pathFact("/w/b"), pathFact("/w/a", "write")], {
    tool: copy,
    input: { from: "b", to: "a" },
  });
  assert.equal(afterGrant(one, one), "allow");
  assert.equal(afterGrant(one, back), "ask");
});

test("a web tool is granted its hosts, an MCP tool itself, any other tool exactly its input", () => {
  const to = (host: string): Job => jobOf([{ kind: "host", host }], { tool: fetch });
  assert.deepEqual(judgeBy([], to("a.com")).grant, {
    tool: "web_fetch",
    domain: ["a.com"],
    decision: "allow",
  });
  assert.equal(afterGrant(to("a.com"), to("b.a.com")), "ask");
  const mcp: Fact = { kind: "mcp", server: "s", tool: "t" };
  const call = jobOf([mcp], { tool: toolNamed("s__t"), input: { x: 1 } });
  assert.deepEqual(judgeBy([], call).grant, { tool: "s__t", decision: "allow" });
  const plain = (input: Job["input"]): Job => jobOf([], { tool: toolNamed("send"), input });
  assert.equal(
    afterGrant(plain({ to: "ada", body: { a: 1, b: 2 } }), plain({ body: { b: 2, a: 1 }, to: "ada" })),
    "allow",
  );
  for (const neighbour of [
    {},
    { to: "bob" },
    { to: "ada", force: true },
    JSON.parse('{"to":"ada","__proto__":1}') as Job["input"],
  ]) {
    assert.equal(afterGrant(plain({ to: "ada" }), plain(neighbour)), "ask", JSON.stringify(neighbour));
  }
});

test("if a rule asks, only the same call is offered", () => {
  const rules: readonly Rule[] = [{ tool: "write_file", decision: "ask" }];
  const { grant } = judgeBy(
    rules,
    jobOf([pathFact("/w/a", "write")], { tool: write, input: { path: "a" } }),
    "yolo",
  );
  assert.deepEqual(grant, { tool: "write_file", input: { path: "a" }, exact: true, decision: "allow" });
});

test("no grant is offered for overwriting an unread file", () => {
  const fact: Fact = { ...pathFact("/w/a", "write"), unread: true };
  const { rule, grant, ungrantable } = judgeBy([], jobOf([fact], { tool: write }));
  assert.deepEqual([rule, grant], ["unread-overwrite", undefined]);
  assert.match(ungrantable ?? "", /reading/);
});

test("a grant without a rule allows only the same call", () => {
  const job = shellJob("make $x");
  const given = granted(undefined, "shell");
  assert.equal(judgeBy([], job, "auto", { ...given, hash: () => "of the first call" }).kind, "allow");
  assert.equal(judgeBy([], job, "auto", { ...given, hash: () => "of another" }).kind, "ask");
  assert.equal(judgeBy([], job, "auto", given).kind, "ask");
});

test("the grant of a command allows the same call and no similar one", () => {
  const word = fc.constantFrom("a", "b", "-x", "--long", "--y=1", "a b", "c*", "#");
  const command = fc.record({
    program: fc.constantFrom("make", "tool", "gcc"),
    args: fc.array(word, { maxLength: 4 }),
  });
  const textOf = ({ program, args }: { program: string; args: readonly string[] }): string =>
    [program, ...args.map((arg) => `'${arg}'`)].join(" ");
  fc.assert(
    fc.property(command, command, (one, other) => {
      const [first, second] = [shellJob(textOf(one)), shellJob(textOf(other))];
      assert.equal(afterGrant(first, first), "allow");
      assert.equal(afterGrant(first, second), textOf(one) === textOf(other) ? "allow" : "ask");
    }),
    { numRuns: runs(500) },
  );
});
