import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { choicesOf } from "../../src/app/host/approvals/approval-question.ts";
import { createPolicyCommands } from "../../src/app/host/policy.ts";
import { resolveCommandPath } from "../../src/app/host/resolve-command-path.ts";
import type { CommandFact, Fact } from "../../src/core/fact.ts";
import type { Job } from "../../src/core/job.ts";
import { MODES, type Mode } from "../../src/core/policy.ts";
import type { Rule } from "../../src/core/rule.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import type { PolicySandbox } from "../../src/policy/layers/limits.ts";
import { createPolicy } from "../../src/policy/policy.ts";
import { jobOf, SHELL } from "../support/engines/policy-jobs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A letter for each of the modes yolo, edits, auto, ask and plan: `a`llowed, allowed in the `r`ead-only sandbox, as`k`s, or `d`enied. */
type Letters = string;

/** Commands that models run outside a workspace, and what happens on this machine and in the sandbox of a session. */
const COMMANDS: Readonly<Record<string, readonly [host: Letters, sandbox: Letters]>> = {
  "cat /etc/os-release": ["arrkr", "arrkr"],
  "cat /etc/hosts": ["arrkr", "arrkr"],
  "cat /etc/passwd | head -3": ["arrkr", "arrkr"],
  "ls /etc": ["arrkr", "arrkr"],
  "ls /usr/include": ["arrkr", "arrkr"],
  "ls -l /usr/bin/env": ["arrkr", "arrkr"],
  "cd /usr/include && ls": ["arrkr", "arrkr"],
  "find /usr -name stdio.h": ["arrkr", "arrkr"],
  "grep -n printf /usr/include/stdio.h": ["arrkr", "arrkr"],
  "file /usr/bin/env": ["arrkr", "arrkr"],
  "cat /proc/cpuinfo": ["arrkr", "arrkr"],
  "head -3 /proc/meminfo": ["arrkr", "arrkr"],
  "cat /proc/self/status": ["akkkk", "aaaka"],
  "ls /": ["akkkk", "aaaka"],
  "ls /opt": ["akkkk", "aaaka"],
  "cd /tmp && ls": ["akkkk", "akkkd"],
  "ls /tmp": ["akkkk", "aaaka"],
  "cat /tmp/f": ["akkkk", "aaaka"],
  "echo x > /tmp/f": ["akkkd", "akkkd"],
  "echo x > /tmp/f; cat /tmp/f": ["akkkd", "akkkd"],
  "mkdir -p /tmp/work": ["akkkd", "akkkd"],
  "cp a /tmp/": ["akkkd", "akkkd"],
  "mv a /tmp/b": ["akkkd", "akkkd"],
  "rm /tmp/f": ["akkkd", "akkkd"],
  mktemp: ["akkkd", "akkkd"],
  "python3 /tmp/x.py": ["akkkd", "akkkd"],
  "tar xf /tmp/a.tar": ["akkkd", "akkkd"],
  "curl -o /tmp/x https://example.com": ["akkkd", "akkkd"],
  "ls ~": ["akkkd", "akkkd"],
  "cat ~/.bashrc": ["akkkd", "akkkd"],
  "touch ~/notes.txt": ["akkkd", "akkkd"],
  "ls ..": ["akkkk", "aaaka"],
  "cat ../README.md": ["akkkk", "aaaka"],
  "cd .. && ls": ["akkkk", "akkkd"],
  "git -C ../other status": ["akkkd", "akkkd"],
  "df -h /": ["akkkk", "aaaka"],
  "du -sh /var/log": ["akkkk", "akkkd"],
  "tail /var/log/syslog": ["akkkk", "aaaka"],
  "find / -name x": ["akkkk", "aaaka"],
  "grep -r TODO ../other": ["akkkk", "aaaka"],
  // What is protected is a question in every mode, or nothing at all in mode plan.
  "cat ~/.ssh/id_rsa": ["kkkkd", "kkkkd"],
  "cat /etc/shadow": ["kkkkk", "kkkkk"],
  "cat /etc/sudoers": ["kkkkk", "kkkkk"],
  "cat /proc/self/root/etc/shadow": ["kkkkk", "kkkkk"],
  "cat /proc/1/environ": ["kkkkk", "kkkkk"],
  "cat /dev/sda": ["kkkkk", "kkkkk"],
  "grep -r key ~": ["kkkkd", "kkkkd"],
  "cat /etc/*": ["kkkkk", "kkkkd"],
  "echo x > ~/.bashrc": ["kkkkd", "kkkkd"],
  "echo x > /etc/profile": ["kkkkd", "kkkkd"],
};

const SANDBOX: PolicySandbox = {
  isConfined: () => true,
  isPrivate: ({ facts }: Job) => facts.every((fact) => fact.kind !== "command" || fact.outside !== true),
  runsUnasked: false,
};

for (const [command, expected] of Object.entries(COMMANDS)) {
  test(`${command}: its verdict in each mode is that of the table, and what is not allowed says what allows it`, async (t) => {
    const folder = realpathSync(temporaryFolder(t));
    const [workspace, home] = [join(folder, "place/work"), join(folder, "users/ada")];
    for (const one of [workspace, home, join(folder, "place/other")]) mkdirSync(one, { recursive: true });
    writeFileSync(join(workspace, "a"), "x\n");
    const policyOf = (mode: Mode, sandbox: PolicySandbox | undefined, rules: readonly Rule[] = []) =>
      createPolicy({
        mode,
        workspace: [workspace],
        home,
        border: "ask",
        sandbox,
        layers: [{ name: "user", rules, mayAllow: true }],
        commands,
      });
    const commands = createPolicyCommands(home, () => true);
    const facts = await factsOf({ kind: "command", text: command, cwd: workspace }, commands.read);
    const job = jobOf(facts, { tool: { ...SHELL, place: "sandbox" }, input: { command } });
    for (const [at, sandbox] of [undefined, SANDBOX].entries()) {
      const verdicts = MODES.map((mode) => policyOf(mode, sandbox).judge(job));
      assert.equal(verdicts.map(letterOf).join(""), expected[at], at === 0 ? "host" : "sandbox");
      for (const [index, verdict] of verdicts.entries()) {
        if (verdict.kind === "deny") assert.match(verdict.hint ?? "", /another mode/);
        if (verdict.kind === "ask") assert.ok(choicesOf(verdict).some(({ approval }) => approval.approved));
        if (verdict.rule !== "workspace-boundary") continue;
        const allowing = policyOf(MODES[index] ?? "ask", sandbox, [ruleIn(verdict)]).judge(job);
        assert.notEqual(
          allowing.reason,
          verdict.reason,
          "the command in the hint writes a rule for this path",
        );
      }
    }
  });
}

function letterOf({ kind, place }: Verdict): string {
  if (kind === "allow") return place === "sandbox" ? "r" : "a";
  return kind === "ask" ? "k" : "d";
}

/** Returns the rule that the command of the hint would write. */
function ruleIn({ hint = "" }: Verdict): Rule {
  const [, access, path = ""] = /toolwright policy allow (--access read )?--path '([^']+)'$/.exec(hint) ?? [];
  assert.notEqual(path, "", hint);
  return { path, decision: "allow", ...(access !== undefined && { access: "read" }) };
}

type Read = ReturnType<typeof createPolicyCommands>["read"];

async function factsOf(fact: CommandFact, read: Read): Promise<readonly Fact[]> {
  const reading = await read(fact);
  const paths = await Promise.all(
    reading.paths.map(async (word): Promise<Fact> => {
      const found = await resolveCommandPath(word);
      return word.suspected === true && found.kind === "path" ? { ...found, suspected: true } : found;
    }),
  );
  return [{ ...fact, reading }, ...paths];
}
