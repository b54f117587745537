import { fileURLToPath } from "node:url";
import { Language, Parser } from "web-tree-sitter";
import { createPolicyCommands } from "../src/app/host/policy.ts";
import { defineTool } from "../src/schema/define/define-tool.ts";
import type { CommandFact, Fact } from "../src/core/fact.ts";
import type { Policy } from "../src/core/policy.ts";
import type { Job } from "../src/core/job.ts";
import type { Rule } from "../src/core/rule.ts";
import { DISASTER_RULES } from "../src/shell/programs/disasters/disaster-rules.ts";
import type { Commands } from "../src/shell/syntax/command-knowledge.ts";
import { readCommand } from "../src/shell/commands.ts";
import { createPolicy } from "../src/policy/policy.ts";
import { measure, median, microseconds, type Row } from "./measure.ts";
import { defined } from "../src/util/json/defined.ts";

const HOME = "/home/ada";
const ROOT = `${HOME}/project`;

const RULES: readonly Rule[] = [
  { path: "**/.env", decision: "deny" },
  { path: "**/*.pem", decision: "deny" },
  { path: "~/.ssh/**", decision: "deny" },
  { path: "infra/**", access: "write", decision: "ask" },
  { tool: "shell", command: ["git", "diff"], decision: "allow" },
  { tool: "shell", command: ["git", "status"], decision: "allow" },
  { tool: "shell", command: ["npm", "test"], decision: "allow" },
  { command: ["rm", "-rf"], decision: "deny" },
  { command: ["git", "push"], decision: "ask" },
  { tool: "write_file", path: "src/**", decision: "allow" },
  { tool: "server__*", decision: "ask" },
  { domain: "*.internal", decision: "deny" },
];

const SHORT = "git log --oneline --stat -n 20 src/index";
const LONG = `for file in $(git ls-files 'src/**/*.ts'); do if grep -q TODO "$file"; then echo "$file: $(wc -l < "$file")"; fi; done | sort -k2 -n -r | head -n 40 > "$TMPDIR/report.txt" && cat "$TMPDIR/report.txt" # end`;

/** Texts that make a reader without limits take seconds. */
const HOSTILE: Readonly<Record<string, string>> = {
  "1 MB": "a ".repeat(500_000),
  "10 000 wrappers": `${"env ".repeat(10_000)} ls`,
  "10 000 nested substitutions": `${"$(".repeat(10_000)}ls${")".repeat(10_000)}`,
  "60 000 backslashes in code": `python3 -c 'a${"\\".repeat(60_000)} '`,
};

/** Measures a verdict: without a command, with a proven one, with one that must be parsed, and with hostile ones. */
export async function benchJudge(): Promise<readonly Row[]> {
  const { policy, commands } = openPolicy();
  const plain = await times(() => void policy.judge(WRITE));
  const parser = await loadTreeSitter();
  // Loads the tables of programs, with which the policy judges.
  await commands.read(commandFact(LONG));
  const short = await times(() => judgeShort(policy));
  const long = await times(() => void policy.judge(shellJob(read(LONG))));
  const baseline = await times(() => parser.parse(LONG)?.delete());
  const hostile: Row[] = [];
  for (const [what, text] of Object.entries(HOSTILE)) {
    const cost = slowTimes(() => void policy.judge(shellJob(read(text))));
    hostile.push(row(`read and judge a command of ${what}`, cost, "50 ms", cost <= 50e6));
  }
  return [
    row("judge a call without a command", plain, "2 µs", plain <= 2000),
    row(`read and judge a plain command of ${SHORT.length} characters`, short, "20 µs", short <= 20_000),
    {
      ...row(`read and judge a command of ${LONG.length} characters`, long, "3x", long <= 3 * baseline),
      against: `${microseconds(baseline)} (tree-sitter parsing it)`,
      ratio: long / baseline,
    },
    ...hostile,
  ];
}

/** Returns a function that reads and judges a plain command. */
export async function createShortJudge(): Promise<() => void> {
  const { policy, commands } = openPolicy();
  await commands.read(commandFact(LONG));
  return () => judgeShort(policy);
}

function openPolicy(): { readonly policy: Policy; readonly commands: Commands } {
  const commands = createPolicyCommands(HOME);
  const layers = [
    { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
    { name: "user", rules: RULES, mayAllow: true },
  ];
  return {
    policy: createPolicy({ mode: "auto", workspace: [ROOT], home: HOME, layers, commands }),
    commands,
  };
}

function judgeShort(policy: Policy): void {
  void policy.judge(shellJob(read(SHORT)));
}

const SHELL = defineTool({ name: "shell", description: "", risk: "high", run: () => "" });
const WRITE: Job = jobOf(defineTool({ name: "write_file", description: "", run: () => "" }), [
  { kind: "path", path: `${ROOT}/src/schema/validate.ts`, access: "write", device: 1, inode: 2, size: 3 },
]);

function jobOf(tool: Job["tool"], facts: readonly Fact[]): Job {
  return {
    call: { id: "1", name: tool.name, input: {} },
    tool,
    input: {},
    hidden: {},
    facts,
    risk: tool.risk,
  };
}

function commandFact(text: string): CommandFact {
  return { kind: "command", text, cwd: ROOT };
}

function read(text: string): CommandFact {
  const fact = commandFact(text);
  return { ...fact, reading: readCommand(fact, HOME) };
}

/** Does what the engine does, without the disk: paths of the command are facts too. */
function shellJob(fact: CommandFact): Job {
  const paths = (fact.reading?.paths ?? []).map(({ text, cwd, access, suspected }): Fact => {
    const path = text.startsWith("/") ? text : `${cwd}/${text}`;
    return { kind: "path", path, access, ...defined({ suspected }) };
  });
  return jobOf(SHELL, [fact, ...paths]);
}

/** Loads the parser that the baseline uses. */
async function loadTreeSitter(): Promise<Parser> {
  await Parser.init();
  const bash = await Language.load(
    fileURLToPath(import.meta.resolve("tree-sitter-bash/tree-sitter-bash.wasm")),
  );
  return new Parser().setLanguage(bash);
}

function times(work: () => void): Promise<number> {
  return measure((count) => {
    for (let turn = 0; turn < count; turn += 1) work();
  });
}

/** Returns nanoseconds per operation for work that takes milliseconds. */
function slowTimes(work: () => void): number {
  const rounds = Array.from({ length: 15 }, () => {
    const startedAt = performance.now();
    work();
    return (performance.now() - startedAt) * 1e6;
  });
  return median(rounds);
}

function row(what: string, nanoseconds: number, target: string, isReached: boolean): Row {
  return { what, figure: microseconds(nanoseconds), against: "", target, isReached };
}
