import { createHash } from "node:crypto";
import type { ToolCall } from "../../core/call.ts";
import type { Content } from "../../core/content.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { AssistantPart, Message } from "../../core/agent/message.ts";
import type { ModelRequest } from "../../core/agent/model.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Attachment } from "./attachments.ts";
import { attachmentsOf, noteOn, textOf } from "./attachments.ts";
import type { Manner } from "./provider.ts";
import type { SdkMessage } from "../answer/sdk.ts";

type OfRole<Role> = Extract<SdkMessage, { readonly role: Role }>;
type UserPart = OfRole<"user">["content"][number];
type SaidPart = OfRole<"assistant">["content"][number];
type ResultPart = Extract<OfRole<"tool">["content"][number], { readonly type: "tool-result" }>;
type Output = ResultPart["output"];
type Opaque = NonNullable<SaidPart["providerOptions"]>;

/** What was said, as the SDK takes it: nothing empty, and no two messages of the user in a row. */
export function toPrompt(
  { instructions, messages }: Pick<ModelRequest, "instructions" | "messages">,
  manner: Manner,
) {
  const said = merged(messages.flatMap((message) => toMessages(message, manner)));
  const system: SdkMessage[] = instructions.trim() === "" ? [] : [{ role: "system", content: instructions }];
  return manner.marksCache === true ? [...system.map(cached), ...lastCached(said)] : [...system, ...said];
}

function toMessages(message: Message, manner: Manner): readonly SdkMessage[] {
  if (message.role === "user") return [{ role: "user", content: userParts(message.content, manner) }];
  if (message.role === "assistant") return saidBy(message.parts, manner);
  return [
    { role: "tool", content: message.results.map((result) => resultPart(result, manner)) },
    ...after(message.results, manner),
  ];
}

function userParts(content: readonly Content[], { shows }: Manner): UserPart[] {
  const text = textOf(content, (piece) => (shows(piece) ? "" : noteOn(piece, "cannot be shown here")));
  const files = attachmentsOf(content, shows).map(toFile);
  // Providers refuse a message without text, and some one with space alone.
  const isSilent = text.trim() === "" && files.length === 0;
  return [...(text.trim() === "" && !isSilent ? [] : [asText(isSilent ? "(empty)" : text)]), ...files];
}

function asText(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

function toFile(piece: Attachment) {
  const name = piece.type === "file" ? piece.name : undefined;
  return {
    type: "file" as const,
    data: { type: "data" as const, data: piece.data },
    mediaType: piece.mimeType,
    ...(name !== undefined && { filename: name }),
  };
}

/** Reasoning alone is no message: providers refuse what it was to lead to and did not. */
function saidBy(parts: readonly AssistantPart[], manner: Manner): readonly SdkMessage[] {
  const content = parts.flatMap((part) => saidPart(part, manner));
  return content.some(({ type }) => type !== "reasoning") ? [{ role: "assistant", content }] : [];
}

function saidPart(part: AssistantPart, manner: Manner): readonly SaidPart[] {
  const kept = part.opaque === undefined ? {} : { providerOptions: part.opaque as Opaque };
  if (part.type === "call") {
    const { call } = part;
    return [
      {
        type: "tool-call",
        toolCallId: idOf(call.id, manner),
        toolName: nameOf(call.name),
        input: inputOf(call),
        ...kept,
      },
    ];
  }
  if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...kept }];
  // Models write line breaks before calls; a piece of space alone is refused.
  return part.text.trim() === "" ? [] : [{ ...asText(part.text), ...kept }];
}

/** An input that is no object, or could not be read, goes back as the text it was: providers take objects only. */
function inputOf({ input, unreadable }: ToolCall): JsonObject {
  if (unreadable === undefined && isObject(input)) return input;
  return { __raw__: typeof input === "string" ? input : (JSON.stringify(input) ?? "") };
}

function resultPart(result: ToolResult, manner: Manner): ResultPart {
  return {
    type: "tool-result",
    toolCallId: idOf(result.callId, manner),
    toolName: nameOf(result.name),
    output: outputOf(result, manner),
  };
}

function outputOf({ ok, content }: ToolResult, manner: Manner): Output {
  const { shows, resultsShow, marksFailures } = manner;
  // Beside the mark of a failure, anything but text is refused.
  const isInside = resultsShow && (ok || !marksFailures);
  const text = textOf(content, (piece) => noteOn(piece, whereabouts(shows(piece), isInside, resultsShow)));
  const files = isInside ? attachmentsOf(content, shows).map(toFile) : [];
  if (files.length > 0) return { type: "content", value: [asText(text), ...files] };
  return { type: !ok && marksFailures ? "error-text" : "text", value: text };
}

function whereabouts(isShown: boolean, isInside: boolean, resultsShow: boolean): string {
  if (isShown && isInside) return "attached";
  return isShown && !resultsShow ? "attached in the next message" : "cannot be shown here";
}

/** Where a result carries text only, what else there is follows in one message of the user, after all results. */
function after(results: readonly ToolResult[], { shows, resultsShow }: Manner): readonly SdkMessage[] {
  if (resultsShow) return [];
  const content = results.flatMap(({ name, callId, content: pieces }): readonly UserPart[] => {
    const files = attachmentsOf(pieces, shows).map(toFile);
    return files.length === 0 ? [] : [asText(`From ${name} (${callId}):`), ...files];
  });
  return content.length === 0 ? [] : [{ role: "user", content }];
}

const NARROW_ID = /^[\w-]{1,40}$/;

function idOf(id: string, { narrowIds }: Manner): string {
  if (!narrowIds || NARROW_ID.test(id)) return id;
  return `call_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}

/** A name that no provider refuses; names of tools are so already, those that a model made up need not be. */
function nameOf(name: string): string {
  return name === "" ? "_" : name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
}

/** Messages of the user that follow each other are one: the templates of many models want turns. */
function merged(messages: readonly SdkMessage[]): readonly SdkMessage[] {
  const result: SdkMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role === "user" && last?.role === "user")
      result.splice(-1, 1, { role: "user", content: joined([...last.content, ...message.content]) });
    else result.push(message);
  }
  return result;
}

/** Texts next to each other are one, since many servers take one text alone more readily than a list. */
function joined(parts: readonly UserPart[]): UserPart[] {
  const result: UserPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.type === "text" && last?.type === "text")
      result.splice(-1, 1, asText(`${last.text}\n\n${part.text}`));
    else result.push(part);
  }
  return result;
}

function cached(message: SdkMessage): SdkMessage {
  return { ...message, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
}

function lastCached(messages: readonly SdkMessage[]): readonly SdkMessage[] {
  return messages.map((message, index) => (index === messages.length - 1 ? cached(message) : message));
}
