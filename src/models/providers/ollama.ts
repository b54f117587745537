import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { defined } from "../../util/json/defined.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { Connection } from "./provider.ts";
import type { SdkMessage, SdkModel, SdkPart, SdkRequest } from "./sdk.ts";

/** Opens a model over Ollama's own chat API (https://docs.ollama.com/api/chat), whose answers are one JSON object per line. */
export function createOllama({ name, baseUrl, apiKey, headers, fetch }: Connection): SdkModel {
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    doStream: async (request) => {
      const response = await fetch(`${baseUrl}/chat`, {
        method: "POST",
        headers: { "content-type": "application/json", ...authorization, ...headers },
        body: JSON.stringify(toBody(name, request)),
        signal: request.abortSignal ?? null,
      });
      if (!response.ok || response.body === null) throw await failureOf(response);
      return { stream: response.body.pipeThrough(new TextDecoderStream()).pipeThrough(createPartStream()) };
    },
  };
}

function toBody(model: string, request: SdkRequest): JsonObject {
  const { prompt, tools, toolChoice, maxOutputTokens, temperature, reasoning, responseFormat } = request;
  const settings = request.providerOptions?.["ollama"] as JsonObject | undefined;
  return defined({
    model,
    stream: true,
    messages: prompt.flatMap(toMessages),
    options: defined({ ...settings, num_predict: maxOutputTokens, temperature }),
    // Ollama has no setting for it: a model that must not call a tool is shown none.
    tools:
      toolChoice?.type === "none"
        ? undefined
        : tools?.flatMap((tool) => (tool.type === "function" ? [toTool(tool)] : [])),
    format: responseFormat?.type === "json" ? (responseFormat.schema as JsonObject) : undefined,
    think: reasoning === undefined ? undefined : reasoning !== "none",
  });
}

type FunctionTool = Extract<NonNullable<SdkRequest["tools"]>[number], { readonly type: "function" }>;

function toTool({ name, description = "", inputSchema }: FunctionTool): JsonObject {
  return { type: "function", function: { name, description, parameters: inputSchema as JsonObject } };
}

function toMessages(message: SdkMessage): readonly JsonObject[] {
  if (message.role === "system") return [{ role: "system", content: message.content }];
  if (message.role === "tool")
    return message.content.flatMap((part) => (part.type === "tool-result" ? [toResult(part)] : []));
  const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const reasoning = message.content.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  return [
    defined({
      role: message.role,
      content: texts.join(""),
      thinking: reasoning.length === 0 ? undefined : reasoning.join(""),
      images: listOf(message, (part) =>
        part.type === "file" && part.data.type === "data" ? String(part.data.data) : undefined,
      ),
      tool_calls: listOf(message, toCall),
    }),
  ];
}

type ChatMessage = Exclude<SdkMessage, { readonly role: "system" | "tool" }>;
type ChatPart = ChatMessage["content"][number];
type ResultPart = Extract<
  Extract<SdkMessage, { readonly role: "tool" }>["content"][number],
  { readonly type: "tool-result" }
>;

/** Converts the parts that `make` accepts; undefined if there are none, since Ollama accepts no empty lists. */
function listOf(
  { content }: ChatMessage,
  make: (part: ChatPart) => Json | undefined,
): readonly Json[] | undefined {
  const made = (content as readonly ChatPart[]).map(make).filter((item) => item !== undefined);
  return made.length === 0 ? undefined : made;
}

function toCall(part: ChatPart): Json | undefined {
  if (part.type !== "tool-call") return undefined;
  const { toolCallId: id, toolName: name, input } = part;
  return { id, type: "function", function: { name, arguments: input as JsonObject } };
}

/** Names the tool as well as the call, since older servers match results by name. */
function toResult({ toolCallId, toolName, output }: ResultPart): JsonObject {
  const content = output.type === "text" || output.type === "error-text" ? output.value : "";
  return { role: "tool", tool_call_id: toolCallId, content, tool_name: toolName };
}

async function failureOf(response: Response): Promise<Error> {
  return failure(response.statusText, {
    statusCode: response.status,
    responseBody: await response.text(),
    responseHeaders: Object.fromEntries(response.headers),
  });
}

/** Returns an error with the fields that the SDK's own errors have. */
function failure(message: string, fields: { readonly statusCode: number } & JsonObject): Error {
  return Object.assign(new Error(message), fields);
}

function createPartStream(): TransformStream<string, SdkPart> {
  let rest = "";
  const emit = (line: string, controller: TransformStreamDefaultController<SdkPart>): void => {
    if (line.trim() === "") return;
    for (const part of toParts(line)) controller.enqueue(part);
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) emit(line, controller);
    },
    flush: (controller) => emit(rest, controller),
  });
}

function* toParts(line: string): Iterable<SdkPart> {
  const value = parseJson(line);
  if (!isObject(value)) throw failure("a line of the answer is not JSON", { statusCode: 500 });
  const { error, message, done } = value;
  if (typeof error === "string") throw failure(error, { statusCode: 500 });
  const { thinking, content, tool_calls: calls } = isObject(message) ? message : {};
  if (typeof thinking === "string") yield { type: "reasoning-delta", id: "thinking", delta: thinking };
  if (typeof content === "string") yield { type: "text-delta", id: "content", delta: content };
  for (const call of Array.isArray(calls) ? (calls as readonly JsonObject[]) : []) yield toToolCall(call);
  if (done === true) yield toFinish(value);
}

function toToolCall({ id, function: called }: JsonObject): SdkPart {
  const { name, arguments: input } = isObject(called) ? called : {};
  return {
    type: "tool-call",
    toolCallId: typeof id === "string" ? id : "",
    toolName: typeof name === "string" ? name : "",
    input: JSON.stringify(input ?? {}),
  };
}

/** Older servers send no stop reason. */
function toFinish({ done_reason: reason, prompt_eval_count, eval_count }: JsonObject): SdkPart {
  const raw = typeof reason === "string" ? reason : "stop";
  const unified = raw === "stop" || raw === "length" ? raw : "other";
  return {
    type: "finish",
    finishReason: { unified, raw },
    usage: {
      inputTokens: {
        total: toCount(prompt_eval_count),
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: toCount(eval_count), text: undefined, reasoning: undefined },
    },
  };
}

function toCount(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
