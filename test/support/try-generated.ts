import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { createEffectPlace, type Attempt, type Setting } from "./effect-place.ts";
import { generateCommand, randomOf, type Goal } from "./generate-command.ts";

const SETTINGS: Readonly<Record<Goal, Setting>> = {
  any: { mode: "auto", rules: [], guards: "everything" },
  rm: { mode: "yolo", rules: [{ command: ["rm"], decision: "deny" }], guards: "victim" },
  env: { mode: "yolo", rules: [{ path: ["**/.env", "**/secrets.txt"], decision: "deny" }], guards: "secret" },
};

export const GOALS: readonly Goal[] = ["any", "rm", "env"];

/**
 * Tries generated commands for real, prints how many were tried, ran and had an effect, and asserts that the only effects
 * are those of commands that deny rules are documented not to see.
 */
export async function tryGenerated(t: TestContext, goal: Goal, count: number, seed: number): Promise<void> {
  const place = createEffectPlace(t);
  const random = randomOf(seed);
  const harmful: Attempt[] = [];
  let [ran, beyond] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const { text, isBeyondRules } = generateCommand(random, goal);
    const attempt = await place.attempt(text, SETTINGS[goal]);
    if (attempt.verdict.kind === "allow") ran += 1;
    if (attempt.effects.length === 0) continue;
    if (isBeyondRules) beyond += 1;
    else harmful.push(attempt);
  }
  t.diagnostic(
    `seed ${seed}: tried ${count}, ran ${ran}, effects ${harmful.length}, beyond what rules can see ${beyond}`,
  );
  assert.deepEqual(
    harmful.map(({ command, effects }) => `${command}: ${effects.join(", ")}`),
    [],
  );
}
