import type { Content } from "../../core/content.ts";
import type { Progress, ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Tool, ToolRef } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { isAsyncIterable } from "../../util/async/thenable.ts";
import { asText } from "../../util/json/parse-json.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import {
  engineTools,
  ONCE,
  type EngineAnswer,
  type EngineTool,
  type EngineToolsOptions,
  type TypesOf,
} from "../sdk/engine-tools.ts";
import { loadPeer } from "../sdk/load-peer.ts";
import { toModelOutput, type ModelOutput } from "../sdk/model-output.ts";
import { openSchema, type OpenSchema } from "../sdk/open-schema.ts";
import { checkExecutable, failed, replyOf, toEngineTool, type SdkToolsOptions } from "../sdk/sdk-tool.ts";

/** What the AI SDK passes to a tool. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly messages: readonly unknown[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A preliminary output while the tool runs, then the answer. */
export type AiSdkOutput<Data = unknown> = EngineAnswer<Data> | { readonly progress: Progress };

/** A tool of an engine in a `ToolSet` of the AI SDK. */
export interface AiSdkTool<Input = unknown, Data = unknown> {
  readonly description: string;
  readonly inputSchema: OpenSchema<Input>;
  needsApproval(input: Input, call: AiSdkCall): Promise<boolean>;
  execute(input: Input, call: AiSdkCall): AsyncIterable<AiSdkOutput<Data>>;
  toModelOutput(given: { readonly output: AiSdkOutput<Data> }): ModelOutput;
}

/** A `ToolSet` of the AI SDK with the names and types of these tools. */
export type AiSdkTools<Tools extends readonly ToolRef[]> = {
  [T in Tools[number] as TypesOf<T>["name"]]: AiSdkTool<TypesOf<T>["given"], TypesOf<T>["data"]>;
};

/**
 * Returns the active tools of an engine as a `ToolSet` of the AI SDK, for `generateText`, `streamText` and `ToolLoopAgent`. A call that
 * needs approval becomes the SDK's approval request; progress becomes preliminary results. With `tools` the set has their names and
 * types, which `InferUITools` reads.
 */
export function toAiSdkTools<const Tools extends readonly ToolRef[] = readonly ToolRef[]>(
  engine: Engine,
  options: EngineToolsOptions<Tools> = {},
): AiSdkTools<Tools> {
  const tools = engineTools(engine, options).map((tool) => [tool.name, toAiSdkTool(tool)] as const);
  return Object.fromEntries(tools) as unknown as AiSdkTools<Tools>;
}

function toAiSdkTool(tool: EngineTool): AiSdkTool {
  return {
    description: tool.description,
    inputSchema: openSchema(tool.parameters),
    needsApproval: async (input, { toolCallId }) => (await tool.request(toolCallId, input)) !== undefined,
    execute: (input, { toolCallId, messages, abortSignal: signal }) =>
      new ReadableStream<AiSdkOutput>({
        async start(outputs) {
          const decision = isApproved(messages, toolCallId) ? ONCE : undefined;
          const onProgress = (progress: Progress): void => outputs.enqueue({ progress });
          outputs.enqueue(await tool.run(toolCallId, input, { signal, decision, onProgress }));
          outputs.close();
        },
      }),
    toModelOutput: ({ output }) =>
      "ok" in output ? toModelOutput(output) : { type: "text", value: JSON.stringify(output.progress) },
  };
}

/** Returns true if the messages have a person's approval of the call. */
function isApproved(messages: readonly unknown[], toolCallId: string): boolean {
  const parts = messages.flatMap(partsOf);
  const questions = parts.filter(
    (part) => part["type"] === "tool-approval-request" && part["toolCallId"] === toolCallId,
  );
  const ids = new Set(questions.map(({ approvalId }) => approvalId));
  const answer = parts.findLast(
    ({ type, approvalId }) => type === "tool-approval-response" && ids.has(approvalId),
  );
  return answer?.["approved"] === true;
}

function partsOf(message: unknown): readonly JsonObject[] {
  const { content } = isObject(message) ? message : {};
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** The part of an AI SDK tool that an engine uses. */
export interface AiSdkToolLike {
  readonly description?: unknown;
  readonly inputSchema: unknown;
  readonly needsApproval?: unknown;
  readonly execute?: unknown;
  readonly toModelOutput?: unknown;
}

type Execute = (input: unknown, call: AiSdkCall & { readonly context: unknown }) => unknown;
type NeedsApproval = (
  input: unknown,
  call: AiSdkCall & { readonly context: unknown },
) => boolean | PromiseLike<boolean>;
type ToOutput = (given: {
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: unknown;
}) => unknown;

/** Returns the tools of a `ToolSet` as tools of an engine. Throws `INVALID_INPUT` for a tool that the SDK does not execute itself. */
export async function fromAiSdkTools(
  tools: Readonly<Record<string, AiSdkToolLike>>,
  options: SdkToolsOptions = {},
): Promise<Tool[]> {
  const { asSchema } = await loadPeer("ai", () => import("ai"));
  return Promise.all(
    Object.entries(tools).map(async ([name, tool]) => {
      checkExecutable(name, tool.execute);
      const execute = tool.execute as Execute;
      const schema = asSchema(tool.inputSchema as Parameters<typeof asSchema>[0]);
      const { needsApproval } = tool;
      const rule = needsApproval as NeedsApproval;
      return toEngineTool(
        {
          name,
          description: typeof tool.description === "string" ? tool.description : "",
          input: copyJson(await schema.jsonSchema, undefined) as JsonObject,
          source: "ai-sdk",
          needsApproval:
            typeof needsApproval === "function"
              ? async (input, context) => rule(input, callOf(context))
              : needsApproval === true,
          run: async (input, context) => {
            const parsed = await schema.validate?.(input);
            if (parsed?.success === false)
              throw new ToolError("INVALID_INPUT", parsed.error.message, { cause: parsed.error });
            const value = parsed?.value ?? input;
            return toReply(tool, value, await execute(value, callOf(context)), context);
          },
        },
        options,
      );
    }),
  );
}

async function toReply(
  tool: AiSdkToolLike,
  input: unknown,
  returned: unknown,
  context: ToolContext,
): Promise<unknown> {
  const output = isAsyncIterable(returned) ? await lastOf(returned, context) : returned;
  if (typeof tool.toModelOutput !== "function") return output;
  const toolCallId = context.call.id;
  const modelOutput = await (tool.toModelOutput as ToOutput)({ toolCallId, input, output });
  return fromModelOutput(context.call.name, modelOutput, output);
}

function callOf({ call, signal }: ToolContext): AiSdkCall & { readonly context: unknown } {
  return { toolCallId: call.id, messages: [], abortSignal: signal, context: undefined };
}

/** Returns the last output; those before it are progress. */
async function lastOf(outputs: AsyncIterable<unknown>, { emit }: ToolContext): Promise<unknown> {
  let last: unknown;
  let isFirst = true;
  for await (const output of outputs) {
    if (!isFirst) emit({ data: copyJson(last, undefined) });
    last = output;
    isFirst = false;
  }
  return last;
}

function fromModelOutput(name: string, shown: unknown, output: unknown): unknown {
  const { type, value, reason } = isObject(shown) ? shown : {};
  const text = (): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  if (type === "error-text" || type === "error-json") return failed(name, text());
  if (type === "execution-denied")
    throw new ToolError("DENIED", `the tool "${name}" refused the call: ${asText(reason)}`);
  if (type === "text") return replyOf([{ type, text: text() }], output);
  if (type === "content" && Array.isArray(value)) return replyOf(value.map(fromPart), output);
  return value ?? output;
}

function fromPart(part: unknown): Content {
  const { text, data, mediaType, filename } = isObject(part) ? part : {};
  if (typeof text === "string") return { type: "text", text };
  const inner = isObject(data) ? data["data"] : data;
  const mimeType = typeof mediaType === "string" ? mediaType : "application/octet-stream";
  if (typeof inner !== "string") return { type: "text", text: JSON.stringify(part) };
  if (mimeType.startsWith("image/")) return { type: "image", data: inner, mimeType };
  return { type: "file", data: inner, mimeType, ...(typeof filename === "string" && { name: filename }) };
}
