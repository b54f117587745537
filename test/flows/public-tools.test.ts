import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Engine } from "../../src/engine/types/engine.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { PROVIDER_FORMATS } from "../../src/formats/tool-names.ts";
import { codeOf } from "../support/engines/engine.ts";
import { generateInvalid, generateValid } from "../support/generators/generate-input.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../support/files/shared-data.ts";

interface PublicTool {
  readonly server: string;
  readonly tool: { readonly name: string; readonly description?: string; readonly inputSchema: JsonObject };
}

function engineOf(tools: readonly PublicTool[]): Engine {
  const defined = tools.map(({ server, tool }) =>
    defineTool({
      name: `${server}__${tool.name}`,
      description: tool.description ?? "",
      input: tool.inputSchema,
      risk: "low",
      run: () => "ran",
    }),
  );
  return createEngine({ tools: defined });
}

test(
  "every public tool definition registers, is shown, takes a valid call and refuses an invalid one",
  { skip: withoutSharedData },
  async () => {
    const tools = readJsonLines(sharedData("mcp-tools.jsonl")) as readonly PublicTool[];
    assert.ok(tools.length > 600, `${tools.length} definitions`);
    const engine = engineOf(tools);
    assert.equal(engine.list().length, tools.length);
    let refused = 0;
    for (const { server, tool } of tools) {
      const name = `${server}__${tool.name}`;
      const valid = generateValid(tool.inputSchema, "all");
      const result = await engine.run({ id: name, name, input: JSON.stringify(valid) });
      assert.equal(codeOf(result), "ok", `${name}: ${JSON.stringify(result.content)}`);
      for (const { input } of generateInvalid(tool.inputSchema)) {
        refused += 1;
        assert.equal(
          codeOf(await engine.run({ id: name, name, input })),
          "INVALID_INPUT",
          `${name} took ${JSON.stringify(input)}`,
        );
      }
    }
    assert.ok(refused > tools.length, `${refused} invalid inputs`);
  },
);

test(
  "a call by the name that any provider was shown reaches its own tool",
  { skip: withoutSharedData },
  async () => {
    const tools = readJsonLines(sharedData("mcp-tools.jsonl")) as readonly PublicTool[];
    const engine = engineOf(tools);
    for (const format of PROVIDER_FORMATS) {
      const shown = engine.specs(format).map((spec) => ("function" in spec ? spec.function : spec).name);
      assert.equal(new Set(shown).size, tools.length);
      for (const [index, name] of shown.entries()) {
        const own = engine.get(`${tools[index]?.server}__${tools[index]?.tool.name}`);
        const { fault } = await engine.explain({ id: "1", name, input: {} });
        const isFound = fault === undefined || fault.message.includes(`"${own?.name}"`);
        assert.ok(isFound, `${format}: ${name} led to ${JSON.stringify(fault)}`);
      }
    }
  },
);
