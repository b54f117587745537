import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "../core/json.ts";
import { generateInvalid, generateValid } from "../../test/support/generators/generate-input.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../../test/support/files/shared-data.ts";
import { createValidator } from "./validate.ts";
import { dialectOf } from "../json-schema/shared/dialect.ts";
import { compileQuick } from "../json-schema/quick/quick.ts";
import { loadFull } from "../json-schema/compile-schema.ts";

await loadFull();

interface Listed {
  readonly server: string;
  readonly tool: { readonly name: string; readonly inputSchema: JsonObject };
}

const options = { skip: withoutSharedData };

test("the schemas of all real tools are compiled by the quick validator", options, () => {
  const left = readTools().filter(({ tool }) => {
    const quick = compileQuick(tool.inputSchema, {
      dialect: dialectOf(tool.inputSchema) ?? "2020-12",
      formats: true,
    });
    return !("rule" in quick);
  });
  assert.deepEqual(
    left.map(({ tool }) => tool.name),
    [],
  );
});

test("every real tool accepts an input made from its schema, whole or only what is required", options, () => {
  const tools = readTools();
  assert.ok(tools.length >= 655);
  for (const { server, tool } of tools) {
    const validator = createValidator(tool.inputSchema);
    for (const properties of ["all", "required"] as const) {
      const checked = validator.check(generateValid(tool.inputSchema, properties));
      assert.deepEqual([server, tool.name, checked.ok ? [] : checked], [server, tool.name, []]);
    }
  }
});

test("every real tool refuses an input that is wrong in one place and names that place", options, () => {
  let broken = 0;
  for (const { server, tool } of readTools()) {
    const validator = createValidator(tool.inputSchema);
    for (const { input, path } of generateInvalid(tool.inputSchema)) {
      broken += 1;
      const checked = validator.check(structuredClone(input));
      assert.equal(checked.ok, false, `${server} ${tool.name} accepts ${JSON.stringify(input)}`);
      const paths = checked.ok ? [] : checked.problems.map((problem) => problem.path);
      assert.ok(paths.includes(path), `${server} ${tool.name}: ${path} is not in ${JSON.stringify(checked)}`);
    }
  }
  assert.ok(broken > 2000, `only ${broken} inputs were broken`);
});

test("schemas that lack a type accept objects", options, () => {
  const file = sharedData("mcp-tools-malformed.json");
  const { tools } = JSON.parse(readFileSync(file, "utf8")) as { readonly tools: readonly Listed["tool"][] };
  assert.ok(tools.length > 0);
  for (const { inputSchema } of tools) {
    assert.deepEqual(createValidator(inputSchema).check({ any: 1 }), { ok: true, value: { any: 1 } });
  }
});

function readTools(): readonly Listed[] {
  return readJsonLines(sharedData("mcp-tools.jsonl")) as readonly Listed[];
}
