import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type * as Models from "../../src/doors/models.ts";
import { loadProgram } from "./support/load-program.ts";

for (const door of globSync("{index,doors/*}.js", { cwd: "dist" })) {
  test(`${door} exports the same as a module and as a script`, async () => {
    const module = (await import(pathToFileURL(resolve("dist", door)).href)) as object;
    assert.deepEqual(Object.keys(loadProgram(door) as object).sort(), Object.keys(module).sort());
  });
}

test("a script has the patterns of its source, also those with characters beyond ASCII", () => {
  const { createTextReader } = loadProgram("doors/models.js") as typeof Models;
  const text =
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="add">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>';
  const reader = createTextReader({ dialect: "deepseek-v32", tools: [] });
  const pieces = [...reader.push(text), ...reader.end()];
  assert.deepEqual(
    pieces.flatMap((piece) => (piece.kind === "call" ? [piece.call.name] : [])),
    ["add"],
  );
});

test("an error of a script names the line of the file", () => {
  const { createEngine } = loadProgram("index.js") as { readonly createEngine: (options: object) => unknown };
  const stackOf = (): string => {
    try {
      createEngine({ mode: "atuo" });
    } catch (error) {
      return String((error as Error).stack);
    }
    return "";
  };
  assert.match(
    stackOf(),
    /unknown mode "atuo"\n {4}at unknownName \(file:.*\/dist\/chunks\/chunk-\w+\.js:\d+:\d+\)/,
  );
});
