import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { createEngine } from "../../src/app/host/create-engine.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { ToolError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { callsOf, type Message } from "../../src/core/agent/message.ts";
import type { Model, ModelTool } from "../../src/core/agent/model.ts";
import { object, string } from "../../src/schema/define/schema.ts";
import type { Engine } from "../../src/engine/types/engine.ts";
import { collect, modelOn, requestOf, userMessage } from "../support/models/provider-model.ts";
import type { ProviderRequest } from "../support/servers/provider-server.ts";
import type { Streamed, Wire } from "../support/models/provider-wire.ts";
import { WIRES } from "../support/models/provider-streams.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = resolve(import.meta.dirname, "../..");

type Name = keyof typeof WIRES;
const NAMES = Object.keys(WIRES) as readonly Name[];

/** Two parallel calls, of which one is denied and one fails; then one with a truncated result; then the answer. */
const STORY: readonly Streamed[] = [
  {
    reasoning: "I look and I clean.",
    text: "I shall look.",
    calls: [
      { id: "call_1", name: "delete_files", json: '{"path":"old"}' },
      { id: "call_2", name: "read_log", json: '{"file":"a.log"}' },
    ],
  },
  { calls: [{ id: "call_3", name: "big_report", json: "{}" }] },
  { text: "Nothing could be done, and the report is long." },
];

const TOOLS = [
  defineTool({
    name: "delete_files",
    description: "Deletes files.",
    input: object({ path: string("Where") }),
    risk: "high",
    run: () => "deleted",
  }),
  defineTool({
    name: "read_log",
    description: "Reads a log.",
    input: object({ file: string() }),
    risk: "low",
    run: () => {
      throw new ToolError("TOOL_FAILED", "a.log is gone");
    },
  }),
  defineTool({
    name: "big_report",
    description: "A long report.",
    risk: "low",
    run: () => "line\n".repeat(5000),
  }),
];

for (const name of NAMES) {
  test(`${name}: two parallel calls, one denied, one failing, one truncated, then an answer`, async (t) => {
    const { messages, requests } = await tell(t, name);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "tool", "assistant", "tool", "assistant"],
    );
    assert.equal(requests.length, 3);
    const [, second, third] = requests.map(({ text }) => text);
    for (const text of [second, third]) {
      assert.ok(text?.includes("delete_files") && text.includes("call_1"));
      assert.match(text ?? "", /Error: .*a\.log is gone/);
    }
    assert.match(third ?? "", /\[truncated/);
    const results = resultsIn(third ?? "{}");
    assert.deepEqual(
      results.map(({ id }) => id),
      ["call_1", "call_2", "call_3"],
      "every call has its one result, in order",
    );
    assert.deepEqual(
      results.map(({ isFailure }) => isFailure),
      [true, true, false],
    );
  });
}

test("the metadata of reasoning and calls is sent back to the provider", async (t) => {
  const sent = async (name: Name): Promise<string> => (await tell(t, name)).requests[1]?.text ?? "";
  assert.match(
    await sent("anthropic"),
    /"type":"thinking","thinking":"I look and I clean.","signature":"EqQBCgIY/,
  );
  const responses = await sent("openai");
  assert.match(responses, /"type":"reasoning","id":"rs_68af\w+","encrypted_content":"gAAAAABowhole"/);
  assert.doesNotMatch(responses, /item_reference/);
  assert.match(
    await sent("google"),
    /"name":"delete_files","args":\{"path":"old"\}\},"thoughtSignature":"EjQKMgEMOdbHZHVt"/,
  );
  assert.match(await sent("ollama"), /"thinking":"I look and I clean."/);
  assert.match(
    await sent("ollama"),
    /"tool_call_id":"call_1","content":"Error: .*?","tool_name":"delete_files"/,
  );
  assert.match(await sent("compatible"), /"reasoning_content":"I look and I clean."/);
});

/** The type of a request in each provider's own SDK. */
const TYPES: Readonly<Record<Name, readonly [string, string]>> = {
  anthropic: [
    `import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";`,
    "MessageCreateParamsStreaming",
  ],
  openai: [
    `import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";`,
    "ResponseCreateParamsStreaming",
  ],
  "openai-chat": [
    `import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";`,
    "ChatCompletionCreateParamsStreaming",
  ],
  // The SDK has types in upper case, and no type for the body of a request.
  google: [
    `import type { Content, FunctionDeclaration, GenerationConfig, Schema, Type } from "@google/genai";
     type Shown = { [Key in keyof Schema]: Key extends "type" ? Lowercase<\`\${Type}\`> : Key extends "properties" ? Record<string, Shown> : Schema[Key] };
     type Declared = Omit<FunctionDeclaration, "parameters"> & { parameters?: Shown };
     interface Body { contents: Content[]; systemInstruction: Content; generationConfig: GenerationConfig; tools: { functionDeclarations: Declared[] }[] }`,
    "Body",
  ],
  // Calls have ids since Ollama 0.12, but not yet in the types of the SDK.
  ollama: [
    `import type { ChatRequest, Message, Tool, ToolCall } from "ollama";
     type Numbered = ToolCall & { id: string; type: "function" };
     type Said = Omit<Message, "tool_calls"> & { tool_calls?: Numbered[]; tool_call_id?: string };
     type Shown = Tool & { function: { parameters?: { additionalProperties?: boolean } } };
     type Body = Omit<ChatRequest, "messages" | "tools"> & { messages: Said[]; tools: Shown[]; stream: true };`,
    "Body",
  ],
  compatible: [
    `import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from "openai/resources/chat/completions";
     type Said = ChatCompletionMessageParam & { reasoning_content?: string };
     type Body = Omit<ChatCompletionCreateParamsStreaming, "messages"> & { messages: Said[] };`,
    "Body",
  ],
};

test("the wire messages of every provider fit the types of its own SDK", { timeout: 120_000 }, async (t) => {
  const folder = temporaryFolder(t);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const name of NAMES) {
    const { requests } = await tell(t, name);
    const [imports, type] = TYPES[name];
    const bodies = requests.map(({ text }, index) => `export const body${index}: ${type} = ${text};`);
    // A line that must fail, which proves that the check works.
    const wrong = `// @ts-expect-error\nexport const wrong: ${type} = ${spoilt(requests[2]?.text ?? "")};`;
    writeFileSync(join(folder, `${name}.ts`), [imports, ...bodies, wrong].join("\n"));
  }
  const config = { extends: join(ROOT, "tsconfig.json"), include: [join(folder, "*.ts")], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

/** Returns the same request with a renamed call id in one result. */
function spoilt(text: string): string {
  const changed = text.replace(/"(tool_use_id|tool_call_id|call_id|functionResponse)":/, '"$1_":');
  assert.notEqual(changed, text);
  return changed;
}

interface FakeAnswer {
  readonly messages: readonly Message[];
  readonly requests: readonly ProviderRequest[];
}

/** Runs the story in a small agent loop. */
async function tell(t: TestContext, name: Name): Promise<FakeAnswer> {
  const wire: Wire = WIRES[name];
  const { model, server } = await modelOn(
    t,
    wire,
    STORY.map((answer) => ({ body: wire.stream(answer), chunkBytes: 512 })),
  );
  const engine = createEngine({ tools: TOOLS, mode: "auto" });
  const messages: Message[] = [userMessage("Clean up.")];
  for (;;) {
    const { done } = await collect(model, requestOf({ messages, tools: shown(engine, model) }));
    const message = { role: "assistant", parts: done.parts } as const;
    messages.push(message);
    if (done.reason !== "calls") break;
    messages.push({ role: "tool", results: await engine.runAll(callsOf(message)) });
  }
  await engine.close();
  return { messages, requests: server.requests };
}

function shown(engine: Engine, model: Model): readonly ModelTool[] {
  return engine.specs(model.format).map((spec) => {
    const { name, description, input_schema, parameters } = (
      "function" in spec ? spec.function : spec
    ) as JsonObject;
    return { name, description, input: input_schema ?? parameters ?? {} } as ModelTool;
  });
}

interface SentResult {
  readonly id: unknown;
  readonly isFailure: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the results in a request of any provider, and whether each is marked as failed. */
function resultsIn(text: string): readonly SentResult[] {
  const body = JSON.parse(text) as Fields;
  const turns = (body["messages"] ?? body["contents"] ?? body["input"]) as readonly Fields[];
  return turns.flatMap((turn) => {
    const inside = (
      Array.isArray(turn["content"]) ? turn["content"] : (turn["parts"] ?? [])
    ) as readonly Fields[];
    return [turn, ...inside].flatMap(toSentResult);
  });
}

function toSentResult(fields: Fields): readonly SentResult[] {
  if (fields["type"] === "tool_result")
    return [{ id: fields["tool_use_id"], isFailure: fields["is_error"] === true }];
  const answered = fields["functionResponse"] as
    | { readonly id: string; readonly response: Fields }
    | undefined;
  if (answered !== undefined)
    return [{ id: answered.id, isFailure: answered.response["error"] !== undefined }];
  const id =
    fields["tool_call_id"] ?? (fields["type"] === "function_call_output" ? fields["call_id"] : undefined);
  const content = fields["content"] ?? fields["output"];
  return id === undefined ? [] : [{ id, isFailure: String(content).startsWith("Error: ") }];
}
