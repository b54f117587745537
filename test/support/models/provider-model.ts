import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { ToolError } from "../../../src/core/errors.ts";
import type { Message } from "../../../src/core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, ModelTool } from "../../../src/core/agent/model.ts";
import type { ModelOptions } from "../../../src/models/providers/model-options.ts";
import { openModel } from "../../../src/models/open-model.ts";
import { serveProvider, type ProviderServer, type Served } from "../servers/provider-server.ts";
import type { Wire } from "./provider-wire.ts";

export const KEY = "sk-secret-0123456789";

/** Opens a model whose provider is on loopback and sends these answers. */
export async function modelOn(
  test: TestContext,
  wire: Wire,
  answers: readonly Served[],
  options: Partial<ModelOptions> = {},
): Promise<{ readonly model: Model; readonly server: ProviderServer }> {
  const server = await serveProvider(test, answers);
  const environment = wire.key === undefined ? {} : { [wire.key]: KEY };
  const retry = { firstWaitMs: 1, ...options.retry };
  const model = await openModel(wire.id, { environment, baseUrl: server.url, ...options, retry });
  return { model, server };
}

const TOOLS: readonly ModelTool[] = [
  {
    name: "get_weather",
    description: "Weather for a city.",
    input: {
      type: "object",
      properties: {
        city: { type: "string", description: "City name" },
        days: { type: "integer", nullable: true },
      },
      required: ["city"],
    },
  },
  { name: "list_cities", description: "All cities.", input: { type: "object", properties: {} } },
];

/** Returns a request for the weather with these changes. */
export function requestOf(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    instructions: "Be brief.",
    messages: [userMessage("What is the weather in Oslo?")],
    tools: TOOLS,
    signal: new AbortController().signal,
    ...changes,
  };
}

export function userMessage(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export type Done = Extract<ModelPart, { readonly type: "done" }>;

/** Returns all parts of an answer, and the last one. */
export async function collect(
  model: Model,
  request = requestOf(),
): Promise<{ readonly parts: readonly ModelPart[]; readonly done: Done }> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request)) parts.push(part);
  return { parts, done: parts.at(-1) as Done };
}

export function textIn(parts: readonly ModelPart[], type: "text" | "reasoning"): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
}

/** Returns the error that a model throws and the parts before it. */
export async function failure(
  model: Model,
  request = requestOf(),
): Promise<{ readonly error: ToolError; readonly parts: readonly ModelPart[] }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request)) parts.push(part);
  } catch (error) {
    assert.ok(error instanceof ToolError, String(error));
    return { error, parts };
  }
  return assert.fail("the model answered");
}

export function isCancelled(error: unknown): boolean {
  return error instanceof ToolError && error.code === "CANCELLED";
}
