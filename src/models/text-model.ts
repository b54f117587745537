import type { ToolCall } from "../core/call.ts";
import type { Content } from "../core/content.ts";
import { isObject } from "../core/json.ts";
import type { AssistantMessage, AssistantPart, Message, ToolMessage } from "../core/agent/message.ts";
import type { Model, ModelRequest } from "../core/agent/model.ts";
import { findCalls } from "./find-calls.ts";
import type { DialectName } from "./text-calls/dialects/dialects.ts";
import { dialectOf } from "./text-calls/dialects/dialects.ts";
import { renderCalls, renderPrompt, renderResults } from "./text-calls/write/render.ts";

/** What is written where every dialect is read: the form that most models were shown. */
const USUAL: DialectName = "hermes";

/**
 * A model without native calls as one that calls: the tools are told in its instructions, calls are read out of its text, and
 * both they and their results go back as text. The model itself is never offered a tool. Throws INVALID_INPUT for a dialect that
 * there is not.
 */
export function withTextCalls(model: Model, dialect: DialectName | "auto"): Model {
  const written = dialect === "auto" ? USUAL : dialect;
  dialectOf(written);
  return replaced(model, (request) => {
    const answer = model.stream(toTextRequest(request, written));
    const { tools } = request;
    return tools.length === 0 ? answer : findCalls(answer, { dialect, tools });
  });
}

/** A model with native calls whose calls of known tools are found also where it writes them into its text. */
export function withLeakedCalls(model: Model): Model {
  return replaced(model, (request) => {
    const { tools } = request;
    if (tools.length === 0) return model.stream(request);
    return findCalls(model.stream(request), { dialect: "auto", tools, unlisted: "problem" });
  });
}

function replaced({ id, format, window, price }: Model, stream: Model["stream"]): Model {
  return { id, format, window, price, stream };
}

function toTextRequest(request: ModelRequest, dialect: DialectName): ModelRequest {
  const { instructions, tools, messages } = request;
  return {
    ...request,
    instructions: [instructions, renderPrompt(dialect, tools)].filter((text) => text !== "").join("\n\n"),
    messages: messages.map((message) => toTextMessage(message, dialect)),
    tools: [],
  };
}

function toTextMessage(message: Message, dialect: DialectName): Message {
  if (message.role === "assistant") return { role: "assistant", parts: writtenParts(message, dialect) };
  return message.role === "tool" ? { role: "user", content: writtenResults(message, dialect) } : message;
}

function writtenParts({ parts }: AssistantMessage, dialect: DialectName): readonly AssistantPart[] {
  const reasoning = parts.filter(({ type }) => type === "reasoning");
  const texts: string[] = [];
  let calls: ToolCall[] = [];
  const flush = (): void => {
    if (calls.length > 0) texts.push(writtenCalls(calls, dialect));
    calls = [];
  };
  for (const part of parts) {
    if (part.type === "call") calls.push(part.call);
    if (part.type !== "text") continue;
    flush();
    texts.push(part.text);
  }
  flush();
  return [...reasoning, { type: "text", text: texts.filter((text) => text !== "").join("\n") }];
}

/** What could not be read goes back as the model wrote it. */
function writtenCalls(calls: readonly ToolCall[], dialect: DialectName): string {
  const readable = calls.filter(({ unreadable }) => unreadable === undefined);
  const raw = calls.flatMap(({ input, unreadable }) => (unreadable === undefined ? [] : [String(input)]));
  const written = readable.map(({ name, input }) => ({ name, input: isObject(input) ? input : {} }));
  return [renderCalls(dialect, written), ...raw].filter((text) => text !== "").join("\n");
}

function writtenResults({ results }: ToolMessage, dialect: DialectName): readonly Content[] {
  const attached = results.flatMap(({ content }) => content.filter(({ type }) => type !== "text"));
  return [{ type: "text", text: renderResults(dialect, results) }, ...attached];
}
