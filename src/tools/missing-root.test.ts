import assert from "node:assert/strict";
import { test } from "node:test";
import { browserTools } from "./browser/family.ts";
import { builtInTools } from "./built-in.ts";
import { fileTools } from "./files/family.ts";
import { memoryTools } from "./memory/family.ts";
import { reportTools } from "./reports/family.ts";
import { runningTools } from "./running/family.ts";
import { webTools } from "./web/family.ts";

for (const create of [
  builtInTools,
  fileTools,
  runningTools,
  webTools,
  browserTools,
  memoryTools,
  reportTools,
]) {
  test(`${create.name} without a root is refused with its name`, () => {
    for (const options of [{ root: undefined, environment: {} }, undefined])
      assert.throws(() => create(options as never), {
        code: "INVALID_INPUT",
        message: `${create.name}: root: expected the path of a folder, got undefined`,
        hint: `pass one: ${create.name}({ root: process.cwd() })`,
      });
  });
}

for (const create of [builtInTools, runningTools]) {
  test(`${create.name} without an environment is refused: commands would get that of this process`, () => {
    for (const options of [{ root: "/" }, { root: "/", environment: null }])
      assert.throws(() => create(options as never), {
        code: "INVALID_INPUT",
        message: "runningTools: the environment of programs is missing",
        hint: "pass { environment: childEnvironment(process.env) }",
      });
  });
}
