import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../../../test/support/engines/engine.ts";
import { engineOf, say } from "../../../test/support/engines/sources.ts";
import type { ModelFormat } from "../../core/agent/model.ts";
import type { Ceiling } from "../../core/policy.ts";
import { modelTools } from "./build-request.ts";

const FORMATS: readonly ModelFormat[] = ["openai", "openai-responses", "anthropic", "google"];

for (const format of FORMATS) {
  test(`for ${format} a tool has the name, description and schema of the provider's format`, (t) => {
    const engine = engineOf(t, { tools: [add] });
    const tool = modelTools(engine, format, { session: "s" })[0]?.tool;
    assert.deepEqual([tool?.name, tool?.description], ["add", "Adds two numbers."]);
    assert.deepEqual(Object.keys(tool?.input["properties"] ?? {}), ["a", "b"]);
    assert.deepEqual(tool?.input["required"], ["a", "b"]);
  });

  test(`for ${format} a tool without parameters has a schema too, and an unusual name is made valid`, async (t) => {
    const engine = engineOf(t, { tools: [say("server.tool/ä", "said")] });
    const tool = modelTools(engine, format, { session: "s" })[0]?.tool;
    assert.match(tool?.name ?? "", /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(tool?.input["type"], "object");
    const result = await engine.run({ id: "1", name: tool?.name ?? "", input: {} });
    assert.equal(result.ok, true);
  });
}

test("a tool has its aliases, by which models call it in their text", (t) => {
  const engine = engineOf(t, {
    tools: [say("read", "", { aliases: ["file_read", { name: "cat", parameters: {} }] }), say("plain", "")],
  });
  const shown = modelTools(engine, "openai", { session: "s" }).map(({ tool }) => tool.aliases);
  assert.deepEqual(shown, [["file_read", "cat"], undefined]);
});

test("without an active tool there is none", (t) => {
  assert.deepEqual(modelTools(engineOf(t), "openai", { session: "s" }), []);
});

test("a tool outside a ceiling is not shown, and each ceiling counts", (t) => {
  const engine = engineOf(t, { tools: [say("read_a", ""), say("read_b", ""), say("write", "")] });
  const shown = (...ceilings: readonly Ceiling[]): readonly string[] =>
    modelTools(engine, "openai", { session: "s", ceilings }).map(({ tool }) => tool.name);
  assert.deepEqual(shown({ tools: ["read_*"] }), ["read_a", "read_b"]);
  assert.deepEqual(shown({ tools: ["read_*"] }, { mode: "plan" }, { tools: ["read_b", "write"] }), [
    "read_b",
  ]);
  assert.deepEqual(shown({ tools: [] }), []);
});
