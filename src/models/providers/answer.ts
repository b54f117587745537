import type { ToolCall } from "../../core/call.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { AssistantPart } from "../../core/agent/message.ts";
import type { ModelPart, StopReason, Usage } from "../../core/agent/model.ts";
import { defined } from "../../util/json/defined.ts";
import { repairJson } from "../../util/json/repair-json.ts";
import type { SdkPart, SdkUsage } from "./sdk.ts";

interface Block {
  readonly type: "text" | "reasoning" | "call";
  text: string;
  opaque: JsonObject | undefined;
  /** For a call only. */
  readonly id: string;
  readonly name: string;
}

type Finish = Extract<SdkPart, { readonly type: "finish" }>;
type Metadata = Finish["providerMetadata"];

/** Creates an empty answer. A call id that is in `usedIds` is replaced: some servers restart their numbering with each answer. */
export function createAnswer(usedIds: Iterable<string> = [], streamsInput: readonly string[] = []) {
  const ids = createIds(usedIds);
  const blocks: Block[] = [];
  const open = new Map<string, Block>();
  let finish: Finish | undefined;

  const blockOf = (type: "text" | "reasoning", id: string): Block => {
    const key = `${type} ${id}`;
    const openPart = open.get(key) ?? { type, text: "", opaque: undefined, id: "", name: "" };
    open.set(key, openPart);
    return openPart;
  };
  /** A block gets its place when it gets its first content. */
  const append = (block: Block, text: string, metadata: Metadata): void => {
    if (text === "" && metadata === undefined) return;
    if (block.text === "" && block.opaque === undefined) blocks.push(block);
    block.text += text;
    block.opaque = mergeOpaque(block.opaque, metadata);
  };

  return {
    /** Adds the next part and returns the delta to show, if any. Throws the error that the provider reports. */
    add: (part: SdkPart): ModelPart | undefined => {
      switch (part.type) {
        case "text-start":
        case "reasoning-start":
          append(blockOf(typeOf(part.type), part.id), "", part.providerMetadata);
          return undefined;
        case "text-delta":
        case "reasoning-delta":
          append(blockOf(typeOf(part.type), part.id), part.delta, part.providerMetadata);
          return part.delta === "" ? undefined : { type: typeOf(part.type), text: part.delta };
        case "text-end":
        case "reasoning-end":
          append(blockOf(typeOf(part.type), part.id), "", part.providerMetadata);
          open.delete(`${typeOf(part.type)} ${part.id}`);
          return undefined;
        case "tool-input-start":
          if (streamsInput.includes(part.toolName)) ids.reserve(part);
          return undefined;
        case "tool-input-delta":
          return ids.inputOf(part);
        case "tool-call":
          // The provider itself runs such a call.
          if (part.providerExecuted !== true) blocks.push(callBlock(part, ids));
          return undefined;
        case "finish":
          finish = part;
          return undefined;
        case "error":
          throw part.error;
        default:
          return undefined;
      }
    },
    /** Returns the complete answer. Throws UNAVAILABLE if its end is missing. */
    done: (): ModelPart => toDone(blocks, finish),
  };
}

function typeOf(event: `${"text" | "reasoning"}-${string}`): "text" | "reasoning" {
  return event.startsWith("text") ? "text" : "reasoning";
}

/** Gives calls ids that no other call has; the input of a call may arrive before the call itself. */
function createIds(used: Iterable<string>) {
  const ids = new Set(used);
  const reserved = new Map<string, { readonly callId: string; readonly name: string }>();
  const create = (given: string): string => {
    const id = ids.has(given) || given === "" ? newCallId() : given;
    ids.add(id);
    return id;
  };
  return {
    reserve({ id, toolName: name }: Extract<SdkPart, { readonly type: "tool-input-start" }>): void {
      reserved.set(id, { callId: create(id), name });
    },
    /** Returns a piece of the input, if its call has reserved an id. */
    inputOf(part: Extract<SdkPart, { readonly type: "tool-input-delta" }>): ModelPart | undefined {
      const { id, delta: text } = part;
      const call = reserved.get(id);
      return call === undefined || text === "" ? undefined : { type: "input", ...call, text };
    },
    take(given: string): string {
      const id = reserved.get(given)?.callId ?? create(given);
      reserved.delete(given);
      return id;
    },
  };
}

function callBlock(
  part: Extract<SdkPart, { readonly type: "tool-call" }>,
  ids: ReturnType<typeof createIds>,
): Block {
  const { input, toolCallId, toolName, providerMetadata } = part;
  return {
    type: "call",
    text: input,
    id: ids.take(toolCallId),
    name: toolName,
    opaque: mergeOpaque(undefined, providerMetadata),
  };
}

/** Merges, by provider, the metadata of a block, which arrives in several parts of the stream. */
function mergeOpaque(known: JsonObject | undefined, metadata: Metadata): JsonObject | undefined {
  if (metadata === undefined) return known;
  const added = Object.entries(metadata as JsonObject).map(([provider, value]) => [
    provider,
    { ...(known?.[provider] as JsonObject | undefined), ...(value as JsonObject) },
  ]);
  return { ...known, ...(Object.fromEntries(added) as JsonObject) };
}

const REASONS: Readonly<Record<string, StopReason>> = {
  stop: "stop",
  "tool-calls": "calls",
  length: "length",
  "content-filter": "refused",
};

function toDone(blocks: readonly Block[], finish: Finish | undefined): ModelPart {
  const { unified = "interrupted", raw } = finish?.finishReason ?? {};
  // The SDK ends an interrupted stream with a reason that no provider gives.
  const isCut =
    unified === "interrupted" || unified === "error" || (unified === "other" && raw === undefined);
  if (finish === undefined || isCut)
    throw new ToolError("UNAVAILABLE", "the answer ended early: its end is missing", { hint: "try again" });
  const finishReason = REASONS[unified] ?? "other";
  const parts = blocks.flatMap((block) => toPart(block, finishReason === "length"));
  return { type: "done", parts, reason: reasonOf(finishReason, parts), usage: toUsage(finish.usage) };
}

/** Corrects a stop reason: some providers report "stop" with calls, and some report calls that are not there. */
export function reasonOf(reason: StopReason, parts: readonly AssistantPart[]): StopReason {
  const hasCalls = parts.some(({ type }) => type === "call");
  if (reason === "calls" && !hasCalls) return "stop";
  return hasCalls && (reason === "stop" || reason === "other") ? "calls" : reason;
}

function toPart({ type, text, opaque, id, name }: Block, isCut: boolean): readonly AssistantPart[] {
  if (type === "call") return [defined({ type, call: { id, name, ...parseArguments(text, isCut) }, opaque })];
  if (type === "text" && text === "") return [];
  return [defined({ type, text, opaque })];
}

/** Parses the arguments of a native call. Broken JSON is repaired if only one meaning is possible, and never if the answer was cut off. */
export function parseArguments(
  text: string,
  isCut: boolean,
): Pick<ToolCall, "input" | "unreadable" | "repaired"> {
  if (text.trim() === "") return { input: {} };
  const parsed = repairJson(text);
  if (parsed?.repaired === false) return { input: parsed.value };
  if (parsed !== undefined && !isCut) return { input: parsed.value, repaired: "JSON" };
  const unreadable = isCut
    ? "the arguments are incomplete: the answer was cut off at its maximum length"
    : "the arguments are not JSON";
  return { input: text, unreadable };
}

function toUsage({ inputTokens, outputTokens }: SdkUsage): Usage {
  return defined({
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    cachedTokens: inputTokens.cacheRead,
    cacheWriteTokens: inputTokens.cacheWrite,
    reasoningTokens: outputTokens.reasoning,
  });
}

/** Returns an id for a call without one, short enough for every provider. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}
