import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInTools } from "./built-in.ts";
import { fileTools } from "./files/family.ts";

for (const create of [builtInTools, fileTools]) {
  test(`${create.name} without a root is refused with its name`, () => {
    for (const options of [{ root: undefined, environment: {} }, undefined])
      assert.throws(() => create(options as never), {
        code: "INVALID_INPUT",
        message: `${create.name}: root: expected the path of a folder, got undefined`,
        hint: `pass one: ${create.name}({ root: process.cwd() })`,
      });
  });
}
