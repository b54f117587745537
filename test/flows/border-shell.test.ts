import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { test, type TestContext } from "node:test";
import { assemble } from "../../src/app/host/assemble.ts";
import { loadConfig } from "../../src/app/config/config.ts";
import { createConfiguredPolicy, readConfiguredRules } from "../../src/app/host/configured-policy.ts";
import type { Rule } from "../../src/core/rule.ts";
import { sharedData, withoutSharedData } from "../support/files/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Expected = "allow" | "ask" | "deny" | "guarded";

interface Case {
  readonly command: string;
  readonly expect: Expected;
  readonly why: string;
}

interface Outcome {
  readonly verdict: "allow" | "ask" | "deny";
  /** What was started, as the programs themselves tell. */
  readonly started: readonly string[];
  /** Everything that could have been destroyed is still there. */
  readonly isUnharmed: boolean;
}

/** Stand-ins that only tell that they were started: what the commands of the cases name. */
const PROGRAMS = "git ls cat npm rm env sudo timeout nice find curl id cp tar sort sed python3 xargs".split(
  " ",
);

const OWN_RULES: readonly Rule[] = [
  { tool: "shell", command: ["git", "diff"], decision: "allow" },
  { tool: "shell", command: ["cat"], decision: "allow" },
  { tool: "shell", command: ["rm", "-rf"], decision: "deny", reason: "no recursive forced removal" },
  { path: "**/.env", decision: "deny", reason: "secrets" },
];

const OWN_CASES: readonly Case[] = [
  { command: "cat notes", expect: "allow", why: "an allowed program reads in the workspace" },
  { command: "cat .env", expect: "deny", why: "a denied path is a word of a command" },
  { command: "cat < .env", expect: "deny", why: "a denied path is a redirection's" },
  { command: "cat ./sub/../.env", expect: "deny", why: "the canonical path is judged" },
  { command: "cat .e''nv", expect: "deny", why: "quotes do not hide a path" },
  { command: "cat .en*", expect: "guarded", why: "a glob may stand for a denied path" },
  { command: "cat $(echo .env)", expect: "guarded", why: "nobody knows the word" },
  { command: "cat /etc/passwd", expect: "allow", why: "every user may read this file of the system" },
  { command: "git diff -- ':(top).env'", expect: "guarded", why: "git's own signs do not hide a path" },
  { command: "git show :0:.env", expect: "guarded", why: "a file in the index is that file" },
  {
    command: "printf 'rm -rf x' | bash /dev/stdin",
    expect: "deny",
    why: "a shell is fed by the name of its input",
  },
  { command: "GIT_PAGER='rm -rf x' git diff", expect: "deny", why: "a pager is run" },
  { command: String.raw`env -S 'rm\_-rf\_x'`, expect: "deny", why: "env has escapes of its own for blanks" },
  { command: "cat ../outside", expect: "ask", why: "it is outside the workspace" },
  { command: "cat link", expect: "ask", why: "a link leads outside the workspace" },
  { command: "cat notes > copy", expect: "guarded", why: "an allowed program does not make a write allowed" },
  { command: "cat notes | rm -r --force x", expect: "deny", why: "a denied part denies the whole" },
  { command: "xargs rm -rf < notes", expect: "deny", why: "xargs starts what is denied" },
  { command: "find . -name x -exec rm -rf {} +", expect: "guarded", why: "find starts what is denied" },
  { command: "x=rm; $x -rf sub", expect: "guarded", why: "a variable hides the program" },
  { command: "$'rm' -rf sub", expect: "deny", why: "ANSI quotes do not hide the program" },
  { command: "git diff --ext-diff", expect: "guarded", why: "an option that starts a program" },
  { command: "git -C /etc diff", expect: "guarded", why: "another folder than was judged" },
  { command: "sort -o notes notes", expect: "guarded", why: "sort writes" },
  { command: "sed -i s/a/b/ notes", expect: "guarded", why: "sed writes in place" },
  { command: "ls", expect: "allow", why: "a command that only reads is of low risk" },
  { command: "rm notes", expect: "ask", why: "a program that deletes is of high risk" },
];

for (const mode of ["auto", "yolo"] as const) {
  for (const one of OWN_CASES) {
    const expected = mode === "yolo" ? inYolo(one.expect) : one.expect;
    test(`mode ${mode}: \`${one.command}\` is ${expected ?? "read"}: ${one.why}`, async (context) => {
      const outcome = await runCommand(context, one.command, { rules: OWN_RULES, mode });
      if (expected !== undefined) assertOutcome(outcome, { ...one, expect: expected });
      else if (outcome.verdict !== "allow") assertNothingRan(outcome);
    });
  }
}

const shared = withoutSharedData === false ? readShared() : undefined;

test("the public cases are there", { skip: withoutSharedData }, () => {
  assert.ok((shared?.cases.length ?? 0) > 40);
});

for (const one of shared?.cases ?? []) {
  test(`\`${one.command}\` is ${one.expect}: ${one.why}`, async (context) => {
    assertOutcome(await runCommand(context, one.command, { rules: shared?.rules ?? [], mode: "auto" }), one);
  });
}

/** In yolo only what is denied, and what may be, is not simply run. */
function inYolo(expected: Expected): Expected | undefined {
  return expected === "ask" || expected === "guarded" ? undefined : expected;
}

function assertOutcome(outcome: Outcome, { expect, command }: Case): void {
  const verdicts = expect === "guarded" ? ["ask", "deny"] : [expect];
  assert.ok(verdicts.includes(outcome.verdict), `${command} was ${outcome.verdict}`);
  if (outcome.verdict !== "allow") assertNothingRan(outcome);
}

function assertNothingRan({ started, isUnharmed }: Outcome): void {
  assert.deepEqual(started, [], "no process ran");
  assert.equal(isUnharmed, true, "everything is still there");
}

interface Setting {
  readonly rules: readonly Rule[];
  readonly mode: "auto" | "yolo";
}

/** Runs a command through the whole engine, as the command line would; the approver denies everything. */
async function runCommand(context: TestContext, command: string, { rules, mode }: Setting): Promise<Outcome> {
  const root = realpathSync(temporaryFolder(context));
  const [cwd, userHome, bin, log] = ["work", "home", "bin", "log"].map((name) => join(root, name));
  assert.ok(cwd !== undefined && userHome !== undefined && bin !== undefined && log !== undefined);
  for (const folder of [join(cwd, "sub"), join(cwd, ".git/hooks"), join(userHome, ".toolwright"), bin]) {
    mkdirSync(folder, { recursive: true });
  }
  const canaries = [join(cwd, ".env"), join(cwd, "notes"), join(cwd, "x"), join(userHome, ".bashrc")];
  for (const canary of canaries) writeFileSync(canary, "canary\n");
  symlinkSync(join(userHome, ".bashrc"), join(cwd, "link"));
  writeFileSync(join(userHome, ".toolwright/policy.json"), JSON.stringify({ rules }), { mode: 0o600 });
  for (const name of PROGRAMS) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> '${log}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const variables = { PATH: [bin, "/usr/bin", "/bin"].join(delimiter), HOME: userHome };
  const config = loadConfig({ mode, store: ":memory:" }, { cwd, variables, userHome });
  const inForce = await readConfiguredRules(config, undefined);
  assert.deepEqual([...inForce.problems, ...inForce.notes], []);
  const policy = createConfiguredPolicy(config, inForce);
  let isAsked = false;
  const approver = {
    ask: () => ((isAsked = true), Promise.resolve({ approved: false, reason: "no" } as const)),
  };
  const assembly = await assemble(config, { policy, approver });
  context.after(() => assembly.close());
  const result = await assembly.engine.run({
    id: "1",
    name: "shell",
    input: { command, timeout_seconds: 5 },
  });
  const isDenied = !result.ok && result.error.code === "DENIED";
  assert.ok(result.ok || isDenied, result.ok ? "" : result.error.message);
  return {
    verdict: isAsked ? "ask" : isDenied ? "deny" : "allow",
    started: existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [],
    isUnharmed:
      canaries.every((canary) => existsSync(canary) && readFileSync(canary, "utf8") === "canary\n") &&
      !existsSync(join(cwd, "copy")) &&
      !existsSync(join(cwd, "out.txt")) &&
      !existsSync(join(cwd, ".git/hooks/pre-commit")),
  };
}

function readShared(): Setting & { readonly cases: readonly Case[] } {
  const read = JSON.parse(readFileSync(sharedData("shell-policy.json"), "utf8")) as {
    readonly policy: { readonly rules: readonly Rule[] };
    readonly cases: readonly Case[];
  };
  return { rules: read.policy.rules, mode: "auto", cases: read.cases };
}
