import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutBoxes } from "../support/boxes.ts";
import { createEffectPlace, type Attempt, type Setting } from "../support/effect-place.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../support/shared-data.ts";

const SETTINGS: Readonly<Record<string, Setting>> = {
  auto: { mode: "auto", rules: [], guards: "everything" },
  "deny-rm": { mode: "yolo", rules: [{ command: ["rm"], decision: "deny" }], guards: "victim" },
  "deny-env": {
    mode: "yolo",
    rules: [{ path: ["**/.env", "**/secrets.txt"], decision: "deny" }],
    guards: "secret",
  },
};

const skip = withoutSharedData === false ? withoutBoxes : withoutSharedData;

for (const [suite, setting] of Object.entries(SETTINGS)) {
  test(`public commands, suite ${suite}: what runs without approval has no effect`, { skip }, async (t) => {
    const place = createEffectPlace(t);
    const cases = readJsonLines(sharedData("shell-effects.jsonl")) as readonly {
      readonly suite: string;
      readonly command: string;
    }[];
    const attempts: Attempt[] = [];
    for (const { command } of cases.filter((one) => one.suite === suite))
      attempts.push(await place.attempt(command, setting));
    const ran = attempts.filter(({ verdict }) => verdict.kind === "allow");
    const harmful = attempts.filter(({ effects }) => effects.length > 0);
    t.diagnostic(`tried ${attempts.length}, ran ${ran.length}, effects ${harmful.length}`);
    assert.deepEqual(
      harmful.map(({ command, effects }) => `${command}: ${effects.join(", ")}`),
      [],
    );
  });
}
