import type { JsonObject } from "../../core/json.ts";
import type { AssistantPart } from "../../core/agent/message.ts";
import type { ModelPart, StopReason, Usage } from "../../core/agent/model.ts";
import { brokenOff } from "./broken-off.ts";
import { newCallId } from "./new-call-id.ts";
import { readArguments } from "./read-arguments.ts";
import type { SdkPart, SdkUsage } from "./sdk.ts";

/** Puts an answer together while it arrives. */
export interface Answer {
  /** Takes the next part; gives what of it can be shown. Throws what the provider reports as an error. */
  take(part: SdkPart): ModelPart | undefined;
  /** The whole. Throws UNAVAILABLE where the answer broke off. */
  done(): ModelPart;
}

interface Block {
  readonly type: "text" | "reasoning" | "call";
  text: string;
  opaque: JsonObject | undefined;
  /** Of a call. */
  readonly id: string;
  readonly name: string;
}

type Finish = Extract<SdkPart, { readonly type: "finish" }>;
type Metadata = Finish["providerMetadata"];

/** An answer whose calls have ids that none of the calls before has: some servers count anew with each answer. */
export function createAnswer(taken: Iterable<string> = []): Answer {
  const ids = new Set(taken);
  const blocks: Block[] = [];
  const open = new Map<string, Block>();
  let finish: Finish | undefined;

  const blockOf = (type: "text" | "reasoning", id: string): Block => {
    const key = `${type} ${id}`;
    const found = open.get(key) ?? { type, text: "", opaque: undefined, id: "", name: "" };
    open.set(key, found);
    return found;
  };
  /** A block has its place from when there is something in it. */
  const add = (block: Block, text: string, metadata: Metadata): void => {
    if (text === "" && metadata === undefined) return;
    if (block.text === "" && block.opaque === undefined) blocks.push(block);
    block.text += text;
    block.opaque = mergedOpaque(block.opaque, metadata);
  };

  return {
    take: (part) => {
      switch (part.type) {
        case "text-start":
        case "reasoning-start":
          add(blockOf(typeOf(part.type), part.id), "", part.providerMetadata);
          return undefined;
        case "text-delta":
        case "reasoning-delta":
          add(blockOf(typeOf(part.type), part.id), part.delta, part.providerMetadata);
          return part.delta === "" ? undefined : { type: typeOf(part.type), text: part.delta };
        case "text-end":
        case "reasoning-end":
          add(blockOf(typeOf(part.type), part.id), "", part.providerMetadata);
          open.delete(`${typeOf(part.type)} ${part.id}`);
          return undefined;
        case "tool-call":
          // What a provider runs itself is not ours to answer.
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
    done: () => wholeOf(blocks, finish),
  };
}

function typeOf(event: `${"text" | "reasoning"}-${string}`): "text" | "reasoning" {
  return event.startsWith("text") ? "text" : "reasoning";
}

function callBlock(part: Extract<SdkPart, { readonly type: "tool-call" }>, ids: Set<string>): Block {
  const { input, toolCallId, toolName, providerMetadata } = part;
  const id = ids.has(toolCallId) || toolCallId === "" ? newCallId() : toolCallId;
  ids.add(id);
  return {
    type: "call",
    text: input,
    id,
    name: toolName,
    opaque: mergedOpaque(undefined, providerMetadata),
  };
}

/** What providers keep with a piece comes in several parts of the stream, by provider. */
function mergedOpaque(kept: JsonObject | undefined, metadata: Metadata): JsonObject | undefined {
  if (metadata === undefined) return kept;
  const added = Object.entries(metadata as JsonObject).map(([provider, value]) => [
    provider,
    { ...(kept?.[provider] as JsonObject | undefined), ...(value as JsonObject) },
  ]);
  return { ...kept, ...(Object.fromEntries(added) as JsonObject) };
}

const REASONS: Readonly<Record<string, StopReason>> = {
  stop: "stop",
  "tool-calls": "calls",
  length: "length",
  "content-filter": "refused",
};

function wholeOf(blocks: readonly Block[], finish: Finish | undefined): ModelPart {
  const { unified = "interrupted", raw } = finish?.finishReason ?? {};
  // The packages end a stream that was cut off with a reason that no provider gave.
  const isCut =
    unified === "interrupted" || unified === "error" || (unified === "other" && raw === undefined);
  if (finish === undefined || isCut) throw brokenOff();
  const given = REASONS[unified] ?? "other";
  const parts = blocks.flatMap((block) => toPart(block, given === "length"));
  return { type: "done", parts, reason: reasonOf(given, parts), usage: toUsage(finish.usage) };
}

/** Some providers stop with a call as with anything else, and some say that they call and do not. */
export function reasonOf(given: StopReason, parts: readonly AssistantPart[]): StopReason {
  const hasCalls = parts.some(({ type }) => type === "call");
  if (given === "calls" && !hasCalls) return "stop";
  return hasCalls && (given === "stop" || given === "other") ? "calls" : given;
}

function toPart({ type, text, opaque, id, name }: Block, isCut: boolean): readonly AssistantPart[] {
  const kept = opaque === undefined ? {} : { opaque };
  if (type === "call") return [{ type, call: { id, name, ...readArguments(text, isCut) }, ...kept }];
  if (type === "text") return text === "" ? [] : [{ type, text, ...kept }];
  return [{ type, text, ...kept }];
}

function toUsage({ inputTokens, outputTokens }: SdkUsage): Usage {
  return {
    inputTokens: inputTokens.total ?? 0,
    outputTokens: outputTokens.total ?? 0,
    ...(inputTokens.cacheRead !== undefined && { cachedTokens: inputTokens.cacheRead }),
    ...(outputTokens.reasoning !== undefined && { reasoningTokens: outputTokens.reasoning }),
  };
}
