// The examples of seed 002, "Tool Execution Engine", as literally as TypeScript allows. test/decorators.test.ts has those with annotations.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createEngine,
  createKey,
  CurrentAgent,
  defineTool,
  list,
  number,
  object,
  optional,
  provide,
  Reply,
  string,
} from "../../../src/index.ts";
import { textOf } from "../../support/engines/engine.ts";

const LOW = { risk: "low", effects: "none" } as const;

test("get_weather: a parameter that is not required is in the schema and not in the required ones", () => {
  const getWeather = defineTool({
    name: "get_weather",
    description: "Get weather information",
    input: object({ city: string("City name"), date: optional(string("Date")) }),
    run: () => "sunny",
  });
  const { additionalProperties: _, ...schema } = getWeather.input;
  assert.deepEqual(schema, {
    type: "object",
    properties: {
      city: { type: "string", description: "City name" },
      date: { type: "string", description: "Date" },
    },
    required: ["city"],
  });
});

test("SearchParams: an object parameter has its nested properties", () => {
  const params = object({ query: string(), limit: number(), filters: list(string()) });
  const search = defineTool({
    name: "search",
    description: "Search",
    input: object({ params }),
    run: ({ params: { query, filters } }) => `${query} ${filters.length}`,
  });
  const { properties } = search.input as { readonly properties: { readonly params: object } };
  assert.deepEqual(Object.keys((properties.params as { readonly properties: object }).properties), [
    "query",
    "limit",
    "filters",
  ]);
});

test("sendEmail: the model sees to and subject, and apiKey comes from the preset, which it cannot set", async () => {
  const sent: unknown[] = [];
  const engine = createEngine({ mode: "yolo" });
  engine.add(
    defineTool({
      name: "sendEmail",
      description: "Send email",
      input: object({ to: string(), subject: string(), apiKey: string() }),
      run: (input) => void sent.push(input),
    }),
    { presets: { apiKey: "EMAIL_API_KEY" } },
  );
  assert.deepEqual(Object.keys(engine.list()[0]?.input["properties"] ?? {}), ["to", "subject"]);
  const input = { to: "ada@example.org", subject: "Hi" };
  await engine.run({ id: "1", name: "sendEmail", input });
  assert.deepEqual(sent, [{ ...input, apiKey: "EMAIL_API_KEY" }]);
  const forged = await engine.run({ id: "2", name: "sendEmail", input: { ...input, apiKey: "mine" } });
  assert.equal(forged.ok, false);
});

test("getUserData: the context of the call goes before the agent's, which goes before the toolkit's", async () => {
  class UserContext {
    readonly userId: string;
    constructor(userId: string) {
      this.userId = userId;
    }
    getUserId = (): string => this.userId;
  }
  const User = createKey<UserContext>("UserContext");
  const getUserData = defineTool({
    ...LOW,
    name: "getUserData",
    description: "Get user data",
    input: object({ dataType: string() }),
    needs: [User],
    run: ({ dataType }, context) => `User ${context.get(User).getUserId()} data: ${dataType}`,
  });
  const of = (userId: string) => [provide(User, new UserContext(userId))];
  const engine = createEngine({ tools: [getUserData], context: of("toolkit") });
  const call = { id: "1", name: "getUserData", input: { dataType: "d" } };
  const agent = { id: "a", name: "Friday", context: of("agent") };
  assert.equal(textOf(await engine.run(call)), "User toolkit data: d");
  assert.equal(textOf(await engine.run(call, { agent })), "User agent data: d");
  assert.equal(textOf(await engine.run(call, { agent, context: of("user123") })), "User user123 data: d");
});

test("ToolEmitter and Agent: a tool emits progress, and knows the agent that runs it", async () => {
  const processed: string[] = [];
  const batchProcess = defineTool({
    ...LOW,
    name: "batchProcess",
    description: "Batch processing",
    input: object({ items: list(string()) }),
    run({ items }, emitter) {
      for (const [index, item] of items.entries()) {
        processed.push(item);
        emitter.emit(`Progress: ${index + 1}/${items.length}`);
      }
      return "Complete";
    },
  });
  const getAgentName = defineTool({
    ...LOW,
    name: "getAgentName",
    description: "Get agent name",
    run: (_, context) => context.get(CurrentAgent).name,
  });
  const emitted: unknown[] = [];
  const engine = createEngine({ tools: [batchProcess, getAgentName] });
  engine.on(({ progress }) => void emitted.push(progress), ["call.progressed"]);
  const result = await engine.run({ id: "1", name: "batchProcess", input: { items: ["a", "b"] } });
  assert.deepEqual(
    [textOf(result), emitted, processed],
    ["Complete", ["Progress: 1/2", "Progress: 2/2"], ["a", "b"]],
  );
  const named = await engine.run(
    { id: "2", name: "getAgentName", input: {} },
    { agent: { id: "a", name: "Friday" } },
  );
  assert.equal(textOf(named), "Friday");
});

test("ExecutionConfig: a call that times out is tried three times, each wait twice the one before", async () => {
  const attempts: number[] = [];
  const engine = createEngine({
    retry: { attempts: 3, firstWaitMs: 10, factor: 2 },
    timeoutMs: 30_000,
    tools: [
      defineTool({
        ...LOW,
        name: "search",
        description: "Async search",
        limits: { timeoutMs: 50 },
        async run(_, { attempt, signal }) {
          attempts.push(attempt);
          if (attempt === 3) return "found";
          return new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason)),
          );
        },
      }),
    ],
  });
  const result = await engine.run({ id: "1", name: "search", input: {} });
  assert.deepEqual([textOf(result), attempts, result.meta.attempts], ["found", [1, 2, 3], 3]);
});

test("updateToolGroups: only tools of active groups are available, and groups are switched at run time", () => {
  const toolkit = createEngine();
  toolkit.groups.create("basic", { description: "Basic tools", active: true });
  toolkit.groups.create("admin", { description: "Admin tools", active: false });
  for (const group of ["basic", "admin"])
    toolkit.add(defineTool({ name: `${group}_tool`, description: "", run: () => "" }), { group });
  const getActiveTools = (): readonly string[] => toolkit.list().map(({ name }) => name);
  assert.deepEqual(getActiveTools(), ["basic_tool"]);
  toolkit.groups.activate(["admin"]);
  assert.deepEqual(getActiveTools(), ["basic_tool", "admin_tool"]);
  toolkit.groups.deactivate(["basic"]);
  assert.deepEqual(getActiveTools(), ["admin_tool"]);
});

test("return values: text, a result block, a promise of either, and other objects as JSON", async () => {
  const returned = [
    "text",
    new Reply("block"),
    Promise.resolve("later"),
    Promise.resolve(new Reply("block later")),
    { a: 1 },
  ];
  const texts: string[] = [];
  for (const value of returned) {
    const engine = createEngine({
      tools: [defineTool({ ...LOW, name: "t", description: "", run: () => value })],
    });
    texts.push(textOf(await engine.run({ id: "1", name: "t", input: {} })));
  }
  assert.deepEqual(texts, ["text", "block", "later", "block later", '{"a":1}']);
});

test("riskyOperation: an exception is an error result with its message", async () => {
  const riskyOperation = defineTool({
    ...LOW,
    name: "riskyOperation",
    description: "Risky operation",
    input: object({ input: string() }),
    run({ input }) {
      if (input === "invalid") throw new Error("Invalid input");
      return "Success";
    },
  });
  const engine = createEngine({ tools: [riskyOperation] });
  const result = await engine.run({ id: "toolUseId", name: "riskyOperation", input: { input: "invalid" } });
  assert.deepEqual(
    [result.ok, result.callId, result.ok ? "" : result.error.message],
    [false, "toolUseId", "Invalid input"],
  );
});
