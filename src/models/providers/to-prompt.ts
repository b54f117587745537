import { hash } from "node:crypto";
import type { ToolCall } from "../../core/call.ts";
import type { Content } from "../../core/content.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ModelRequest } from "../../core/agent/model.ts";
import type { ToolResult } from "../../core/result.ts";
import { attachmentsOf, noteOn, textOf, type Attachment } from "./attachments.ts";
import { bringTools, type BroughtTools } from "./brought-tools.ts";
import type { Capabilities } from "./provider.ts";
import type { SdkMessage } from "./sdk.ts";
import { defined } from "../../util/json/defined.ts";
import { joinAdjacent } from "./join-adjacent.ts";

type OfRole<Role> = Extract<SdkMessage, { readonly role: Role }>;

type UserPart = OfRole<"user">["content"][number];

type SdkAssistantPart = OfRole<"assistant">["content"][number];

type ResultPart = Extract<OfRole<"tool">["content"][number], { readonly type: "tool-result" }>;

type Output = ResultPart["output"];

type Opaque = NonNullable<SdkAssistantPart["providerOptions"]>;

/** Converts a conversation for the SDK, without empty messages and without consecutive user messages. */
export function toPrompt(
  { instructions, messages }: Pick<ModelRequest, "instructions" | "messages">,
  capabilities: Capabilities,
  brought: BroughtTools,
): SdkMessage[] {
  const conversation = mergeUserMessages(
    messages.flatMap((message) => toMessages(message, capabilities, brought)),
  );
  const system: SdkMessage[] = instructions.trim() === "" ? [] : [{ role: "system", content: instructions }];
  return capabilities.marksCache === true
    ? [...system.map(markCached), ...markLastCached(conversation)]
    : [...system, ...conversation];
}

function toMessages(
  message: Message,
  capabilities: Capabilities,
  brought: BroughtTools,
): readonly SdkMessage[] {
  if (message.role === "user") return [{ role: "user", content: userParts(message.content, capabilities) }];
  if (message.role === "assistant") return toAssistant(message.parts, capabilities);
  return [
    { role: "tool", content: message.results.map((result) => resultPart(result, capabilities, brought)) },
    ...attachmentsMessage(message.results, capabilities),
    ...textsOfReferences(message.results, capabilities, brought),
  ];
}

function userParts(content: readonly Content[], { accepts }: Capabilities): UserPart[] {
  const text = textOf(content, (piece) => (accepts(piece) ? "" : noteOn(piece, "cannot be shown here")));
  const files = attachmentsOf(content, accepts).map(toFile);
  // Providers reject a message without text, and some reject one that is only white space.
  const isEmpty = text.trim() === "" && files.length === 0;
  return [...(text.trim() === "" && !isEmpty ? [] : [asText(isEmpty ? "(empty)" : text)]), ...files];
}

function asText(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

function toFile(piece: Attachment) {
  const filename = piece.type === "file" ? piece.name : undefined;
  const data = { type: "data" as const, data: piece.data };
  return { type: "file" as const, data, mediaType: piece.mimeType, ...defined({ filename }) };
}

/** Leaves out a message that is only reasoning: providers reject reasoning that nothing follows. */
function toAssistant(parts: readonly AssistantPart[], capabilities: Capabilities): readonly SdkMessage[] {
  const content = parts.flatMap((part) => toAssistantParts(part, capabilities));
  return content.some(({ type }) => type !== "reasoning") ? [{ role: "assistant", content }] : [];
}

function toAssistantParts(part: AssistantPart, capabilities: Capabilities): readonly SdkAssistantPart[] {
  const metadata = part.opaque === undefined ? {} : { providerOptions: part.opaque as Opaque };
  if (part.type === "call") {
    const { id, name } = part.call;
    const toolCallId = idOf(id, capabilities);
    return [
      { type: "tool-call", toolCallId, toolName: nameOf(name), input: inputOf(part.call), ...metadata },
    ];
  }
  if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...metadata }];
  // Models write line breaks before calls, and providers reject a text of only white space.
  return part.text.trim() === "" ? [] : [{ ...asText(part.text), ...metadata }];
}

/** Wraps an input that is not an object, or is unreadable, since providers accept only objects. */
function inputOf({ input, unreadable }: ToolCall): JsonObject {
  if (unreadable === undefined && isObject(input)) return input;
  return { __raw__: typeof input === "string" ? input : (JSON.stringify(input) ?? "") };
}

function resultPart(result: ToolResult, capabilities: Capabilities, brought: BroughtTools): ResultPart {
  const part: ResultPart = {
    type: "tool-result",
    toolCallId: idOf(result.callId, capabilities),
    toolName: nameOf(result.name),
    output: outputOf(result, capabilities),
  };
  const tools = brought.get(result.callId);
  return tools === undefined ? part : bringTools(part, tools, capabilities);
}

/** Returns the user message with the texts of results that may have nothing but references to tools. */
function textsOfReferences(
  results: readonly ToolResult[],
  { bringsTools }: Capabilities,
  brought: BroughtTools,
): readonly SdkMessage[] {
  if (bringsTools !== "references") return [];
  const texts = results
    .filter(({ callId }) => brought.has(callId))
    .map(({ name, callId, content }) => `From ${name} (${callId}):\n${textOf(content, () => "")}`);
  return texts.length === 0 ? [] : [{ role: "user", content: [asText(texts.join("\n\n"))] }];
}

function outputOf({ ok, content }: ToolResult, capabilities: Capabilities): Output {
  const { accepts, filesInResults, marksErrors } = capabilities;
  // A result that is marked as an error may only have text.
  const isInside = filesInResults && (ok || !marksErrors);
  const text = textOf(content, (piece) => noteOn(piece, statusOf(accepts(piece), isInside, filesInResults)));
  const files = isInside ? attachmentsOf(content, accepts).map(toFile) : [];
  if (files.length > 0) return { type: "content", value: [asText(text), ...files] };
  return { type: !ok && marksErrors ? "error-text" : "text", value: text };
}

function statusOf(isAccepted: boolean, isInside: boolean, filesInResults: boolean): string {
  if (isAccepted && isInside) return "attached";
  return isAccepted && !filesInResults ? "attached in the next message" : "cannot be shown here";
}

/** Returns the user message that carries the attachments of results, if the results themselves cannot. */
function attachmentsMessage(
  results: readonly ToolResult[],
  { accepts, filesInResults }: Capabilities,
): readonly SdkMessage[] {
  if (filesInResults) return [];
  const content = results.flatMap(({ name, callId, content: pieces }): readonly UserPart[] => {
    const files = attachmentsOf(pieces, accepts).map(toFile);
    return files.length === 0 ? [] : [asText(`From ${name} (${callId}):`), ...files];
  });
  return content.length === 0 ? [] : [{ role: "user", content }];
}

const SHORT_ID = /^[\w-]{1,40}$/;

function idOf(id: string, { shortCallIds }: Capabilities): string {
  if (!shortCallIds || SHORT_ID.test(id)) return id;
  return `call_${hash("sha256", id).slice(0, 32)}`;
}

/** Returns a name that every provider accepts; a name that a model made up may not be one. */
function nameOf(name: string): string {
  return name === "" ? "_" : name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
}

/** Merges consecutive user messages: the chat templates of many models require alternating turns. */
function mergeUserMessages(messages: readonly SdkMessage[]): readonly SdkMessage[] {
  return joinAdjacent(messages, (last, next) =>
    last.role === "user" && next.role === "user"
      ? { role: "user", content: joinTexts([...last.content, ...next.content]) }
      : undefined,
  );
}

/** Joins adjacent texts, since some servers handle a single text better than a list. */
function joinTexts(parts: readonly UserPart[]): UserPart[] {
  return joinAdjacent(parts, (last, next) =>
    last.type === "text" && next.type === "text" ? asText(`${last.text}\n\n${next.text}`) : undefined,
  );
}

function markCached(message: SdkMessage): SdkMessage {
  return { ...message, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
}

function markLastCached(messages: readonly SdkMessage[]): readonly SdkMessage[] {
  return messages.map((message, index) => (index === messages.length - 1 ? markCached(message) : message));
}
