import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createEffectPlace, createSandboxPlace, type Attempt, type Setting } from "./effect-workspace.ts";
import { generateBypass, type Way } from "../generators/generate-bypass.ts";
import { generateCommand, randomOf, type Goal } from "../generators/generate-command.ts";
import { isLong } from "../property-runs.ts";
import { readJsonLines, sharedData } from "../files/shared-data.ts";

const SETTINGS: Readonly<Record<Goal, Setting>> = {
  any: { mode: "auto", rules: [], guards: "everything" },
  rm: { mode: "yolo", rules: [{ command: ["rm"], decision: "deny" }], guards: "victim" },
  env: { mode: "yolo", rules: [{ path: ["**/.env", "**/secrets.txt"], decision: "deny" }], guards: "secret" },
};

export const GOALS: readonly Goal[] = ["any", "rm", "env"];

/** `policy`: what policy allows runs without the engine's sandbox. `sandbox`: everything runs, and only in that sandbox. */
export type Protection = "policy" | "sandbox";

export interface Trial {
  readonly goal: Goal;
  readonly count: number;
  readonly seed: number;
  readonly by: Protection;
}

/**
 * Tries generated commands for real, prints how many were tried, ran and had an effect, and asserts that none had one, except
 * without the sandbox those that deny rules are documented not to see.
 */
export async function tryGenerated(t: TestContext, { goal, count, seed, by }: Trial): Promise<void> {
  const random = randomOf(seed);
  const generated = Array.from({ length: count }, () => generateCommand(random, goal));
  const attempts = await tryAll(
    t,
    by,
    generated.map(({ text }) => text),
    SETTINGS[goal],
  );
  const isHarmful = ({ effects }: Attempt): boolean => effects.length > 0;
  const isDocumented = (_: Attempt, at: number): boolean =>
    by === "policy" && generated[at]?.isBeyondRules === true;
  const harmful = attempts.filter((attempt, at) => isHarmful(attempt) && !isDocumented(attempt, at));
  const beyond = attempts.filter((attempt, at) => isHarmful(attempt) && isDocumented(attempt, at));
  t.diagnostic(`seed ${seed}: ${countsOf(attempts, harmful)}, beyond what rules can see ${beyond.length}`);
  assertNone(harmful);
}

/** Everything that the commands of `shell-effects-2.jsonl` try to pass, except addresses. */
const DENIES: Setting = {
  mode: "yolo",
  rules: [
    { path: ["**/.env", "secrets.txt", "~/.ssh/**"], decision: "deny" },
    { command: ["rm"], decision: "deny" },
  ],
  guards: "denied",
};

/** No rule at all: only the protection of files with secrets holds in yolo. */
const PROTECTED: Setting = { mode: "yolo", rules: [], guards: "protected" };

interface Suite {
  readonly file: string;
  readonly suite: string;
  readonly setting: Setting;
}

export const RECORDED: readonly Suite[] = [
  { file: "shell-effects.jsonl", suite: "auto", setting: SETTINGS.any },
  { file: "shell-effects.jsonl", suite: "deny-rm", setting: SETTINGS.rm },
  { file: "shell-effects.jsonl", suite: "deny-env", setting: SETTINGS.env },
  { file: "shell-effects-2.jsonl", suite: "auto", setting: SETTINGS.any },
  ...["deny-path", "deny-command", "deny-code", "deny-stdin"].map((suite) => ({
    file: "shell-effects-2.jsonl",
    suite,
    setting: DENIES,
  })),
];

/** Recorded commands that use a way which deny rules cannot see, as SECURITY.md says: what code does or builds by itself. */
const BEYOND_RULES: ReadonlySet<string> = new Set([
  `awk 'BEGIN{f=".e" "nv"; while((getline l<f)>0) print l}'`,
  `node -e 'require("fs").rmSync("victim",{recursive:true})'`,
]);

/** How many of the recorded commands a quick run tries: every third. */
const QUICK_STEP = 3;

/** Tries the recorded commands of a suite for real, prints the same counts, and asserts that none had an effect. */
export async function tryRecorded(
  t: TestContext,
  { file, suite, setting }: Suite,
  by: Protection,
): Promise<void> {
  const cases = readJsonLines(sharedData(file)) as readonly {
    readonly suite: string;
    readonly command: string;
  }[];
  const commands = cases.filter((one) => one.suite === suite).map(({ command }) => command);
  const tried = isLong ? commands : commands.filter((_, at) => at % QUICK_STEP === 0);
  const attempts = await tryAll(t, by, tried, setting);
  const isHarmful = ({ effects }: Attempt): boolean => effects.length > 0;
  const isDocumented = ({ command }: Attempt): boolean => by === "policy" && BEYOND_RULES.has(command);
  const harmful = attempts.filter((attempt) => isHarmful(attempt) && !isDocumented(attempt));
  const beyond = attempts.filter((attempt) => isHarmful(attempt) && isDocumented(attempt));
  t.diagnostic(`${countsOf(attempts, harmful)}, beyond what rules can see ${beyond.length}`);
  assertNone(harmful);
}

/** Tries generated ways around deny rules and protected files for real, prints the counts, and asserts that none had an effect. */
export async function tryBypasses(t: TestContext, way: Way, count: number, seed: number): Promise<void> {
  const random = randomOf(seed);
  const commands = Array.from({ length: count }, () => generateBypass(random, way));
  const setting = way.startsWith("protected") ? PROTECTED : DENIES;
  const attempts = await tryAll(t, "policy", [...new Set(commands)], setting);
  const harmful = attempts.filter(({ effects }) => effects.length > 0);
  t.diagnostic(`seed ${seed}: ${countsOf(attempts, harmful)}`);
  assertNone(harmful);
}

async function tryAll(
  t: TestContext,
  by: Protection,
  commands: readonly string[],
  setting: Setting,
): Promise<readonly Attempt[]> {
  const place = by === "policy" ? createEffectPlace(t) : createSandboxPlace(t);
  const attempts: Attempt[] = [];
  for (const command of commands) attempts.push(await place.attempt(command, setting));
  return attempts;
}

function countsOf(attempts: readonly Attempt[], harmful: readonly Attempt[]): string {
  const ran = attempts.filter((attempt) => attempt.ran);
  return `tried ${attempts.length}, ran ${ran.length}, effects ${harmful.length}`;
}

function assertNone(harmful: readonly Attempt[]): void {
  assert.deepEqual(
    harmful.map(({ command, effects }) => `${command}: ${effects.join(", ")}`),
    [],
  );
}
