// The examples of seed 000, "Tool Execution System Architecture", as literally as TypeScript allows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine, defineTool, toEnvelope, type Json, type Tool } from "../../../src/index.ts";
import { textOf } from "../../support/engines/engine.ts";

const chatContext = { createMemoryDump: async (args: object) => `dumped ${JSON.stringify(args)}` };

const definition = {
  name: "write_memory_dump",
  description: "Create context snapshot",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string" }, depth: { type: "integer", maximum: 3 } },
    required: ["title"],
  },
  execute: async (args: object): Promise<Json> => chatContext.createMemoryDump(args),
} as const;

/** The seed's `ToolRegistry`. */
function createRegistry() {
  const engine = createEngine({ mode: "yolo" });
  return {
    registerTool({ inputSchema: input, execute: run, ...rest }: typeof definition): void {
      engine.add(defineTool({ ...rest, input, run }));
    },
    unregisterTool: (name: string): void => void engine.remove(name),
    getTool: (name: string): Tool | undefined => engine.get(name),
    getAllTools: () => engine.list(),
    async executeTool(name: string, args: unknown) {
      const result = await engine.run({ id: "1", name, input: args });
      return result.ok ? textOf(result) : toEnvelope(result, args);
    },
  };
}

test("registerTool: the definition is refused with what to rename, and then it is a tool", async () => {
  const engine = createEngine();
  assert.throws(() => engine.add(definition as unknown as Tool), {
    message: /it has no function run, but execute and inputSchema/,
    hint: "write defineTool({ name, description, input: inputSchema, run: execute })",
  });
  const toolRegistry = createRegistry();
  toolRegistry.registerTool(definition);
  assert.equal(
    await toolRegistry.executeTool("write_memory_dump", { title: "now" }),
    'dumped {"title":"now"}',
  );
});

test("getAllTools: the tools of a request are mapped from the registry", () => {
  const toolRegistry = createRegistry();
  toolRegistry.registerTool(definition);
  const tools = toolRegistry.getAllTools().map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.input,
  }));
  assert.deepEqual(tools, [
    {
      name: definition.name,
      description: definition.description,
      parameters: definition.inputSchema,
    },
  ]);
  assert.equal(toolRegistry.getTool("write_memory_dump")?.name, "write_memory_dump");
  toolRegistry.unregisterTool("write_memory_dump");
  assert.equal(toolRegistry.getTool("write_memory_dump"), undefined);
});

test("validation: existence, required fields, types and values are told apart", async () => {
  const toolRegistry = createRegistry();
  toolRegistry.registerTool(definition);
  const errorOf = async (name: string, args: unknown): Promise<unknown> => {
    const answer = await toolRegistry.executeTool(name, args);
    return typeof answer === "string" ? undefined : answer["error"];
  };
  assert.match(String(await errorOf("write_memory_dmp", {})), /no tool is named/);
  assert.match(String(await errorOf(definition.name, {})), /\/title is missing/);
  assert.match(
    String(await errorOf(definition.name, { title: 7.5, depth: "x" })),
    /\/depth: expected integer/,
  );
  assert.match(String(await errorOf(definition.name, { title: "a", depth: 9 })), /at most 3/);
});

test("executeTool: a failure has the error, the tool and its arguments", async () => {
  const toolRegistry = createRegistry();
  const args = { title: "now" };
  const error = new Error("disk is full");
  toolRegistry.registerTool({ ...definition, execute: async () => Promise.reject(error) });
  const answer = await toolRegistry.executeTool(definition.name, args);
  assert.ok(typeof answer !== "string");
  assert.deepEqual(
    { error: answer["error"], tool: answer["tool"], args: answer["args"] },
    { error: "disk is full", tool: definition.name, args },
  );
});

test("approval modes: each mode runs, asks for or refuses each risk as the seed says", async () => {
  const asked: string[] = [];
  for (const mode of ["yolo", "auto", "ask"] as const)
    for (const risk of ["low", "medium", "high"] as const) {
      const engine = createEngine({
        mode,
        approver: {
          ask: async () => {
            asked.push(`${mode} ${risk}`);
            return { approved: true, scope: "once" };
          },
        },
        tools: [defineTool({ name: "t", description: "", risk, run: () => "ran" })],
      });
      assert.equal(textOf(await engine.run({ id: "1", name: "t", input: {} })), "ran");
    }
  assert.deepEqual(asked, ["auto medium", "auto high", "ask low", "ask medium", "ask high"]);
});
