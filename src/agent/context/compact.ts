import type { Model, ModelTool } from "../../core/agent/model.ts";
import type { GoalBook } from "../../tools/memory/goals/goals.ts";
import { summaryMessage, type StoredMessage } from "../sessions/conversation-of.ts";
import { askForSummary } from "./ask-for-summary.ts";
import { estimateText } from "../../engine/registry/estimate-text.ts";
import { estimateMessage, estimateTokens } from "./estimate-tokens.ts";
import { contentText } from "../../util/text/content-text.ts";
import { bookTokens, mergeDecisions, readSummary, renderSummary, type Summary } from "./summary.ts";
import { callsOf, type Message } from "../../core/agent/message.ts";
import { cutMiddle, renderMessage } from "./render-messages.ts";
import { textOf } from "../../util/text/text-of.ts";

/** The share of the room for messages that a summary may take, besides goals and recorded decisions. */
const SUMMARY_SHARE = 0.25;
const LEAST_SUMMARY_TOKENS = 300;
/** Below this the messages are summarised without the model. */
const WORTH_ASKING_TOKENS = 500;
const LEAST_STORY_TOKENS = 100;

interface CompactRequest {
  readonly model: Model;
  /** As `conversationOf` returns them. */
  readonly messages: readonly StoredMessage[];
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly book: GoalBook;
  /** The size of the whole request afterwards. If it is not larger now, half of the messages are summarised. */
  readonly targetTokens: number;
  readonly signal: AbortSignal;
}

/** The contents of a compaction entry. */
export interface Compacted {
  readonly summary: string;
  readonly keptFrom: number;
}

/**
 * Shortens a conversation: keeps the newest messages and replaces the older ones by a summary. Never separates a call from its
 * result, and never drops the last message, a goal or a recorded decision. Undefined if nothing would become shorter.
 */
export async function compact(request: CompactRequest): Promise<Compacted | undefined> {
  const { messages, book } = request;
  const room = roomOf(request);
  const earlier = earlierOf(messages);
  const share = Math.max(LEAST_SUMMARY_TOKENS, room * SUMMARY_SHARE);
  const summaryTokens = bookTokens(book) + share;
  const exchanges = exchangesOf(messages.filter(({ seq }) => seq > 0));
  const first = firstKept(exchanges, room - summaryTokens);
  const [older, recent] = [exchanges.slice(0, first).flat(), exchanges.slice(first).flat()];
  const keptFrom = recent[0]?.seq;
  if (keptFrom === undefined || (older.length === 0 && earlier === NOTHING)) return undefined;

  const decided = Math.min(share, estimateText(earlier.decisions.join("\n")) + LEAST_STORY_TOKENS);
  const maxTokens = Math.min(summaryTokens, Math.max(bookTokens(book) + decided, room - tokensOf(recent)));
  const retold = await summarise(request, { older, earlier, maxTokens });
  const summary = renderSummary(retold, book, maxTokens);
  const isShorter = tokensOf([summaryMessage(summary), ...recent]) < tokensOf(messages);
  return isShorter ? { summary, keptFrom } : undefined;
}

const NOTHING: Summary = { decisions: [], story: "" };

function earlierOf([first]: readonly StoredMessage[]): Summary {
  if (first?.seq !== 0 || first.message.role !== "user") return NOTHING;
  return readSummary(contentText(first.message.content));
}

/** Returns the room for messages; negative if instructions and tools alone exceed the target. */
function roomOf({ messages, instructions, tools, targetTokens }: CompactRequest): number {
  const aimed = targetTokens - estimateTokens({ instructions, tools, messages: [] });
  const taken = tokensOf(messages);
  return taken > aimed ? aimed : taken / 2;
}

/** Returns the index of the first exchange that stays: as many as fit, and always the last. */
function firstKept(exchanges: readonly Exchange[], room: number): number {
  let left = room;
  const tooMuch = exchanges.findLastIndex((exchange) => (left -= tokensOf(exchange)) < 0);
  return Math.min(tooMuch + 1, exchanges.length - 1);
}

interface Older {
  readonly older: readonly StoredMessage[];
  readonly earlier: Summary;
  readonly maxTokens: number;
}

/** Summarises the older messages and the earlier summary: by the model, or by excerpts if it fails. */
async function summarise(
  { model, signal, book }: CompactRequest,
  { older, earlier, maxTokens }: Older,
): Promise<Summary> {
  const isWorthAsking = tokensOf(older) >= WORTH_ASKING_TOKENS;
  const answer =
    isWorthAsking && (await askForSummary({ model, messages: older, earlier, maxTokens, signal }));
  const summary = answer || excerpts(older, earlier);
  return { story: summary.story, decisions: mergeDecisions(earlier.decisions, summary.decisions, book) };
}

function excerpts(older: readonly StoredMessage[], earlier: Summary): Summary {
  const { decisions, story } = digest(older);
  return { decisions, story: `${earlier.story}\n${story}`.trim() };
}

function tokensOf(messages: readonly StoredMessage[]): number {
  return messages.reduce((total, { message }) => total + estimateMessage(message), 0);
}

/** Messages that must stay together: a message with its calls and their results, or a single message. */
type Exchange = readonly StoredMessage[];

/** Divides a conversation into the pieces between which it can be cut. */
function exchangesOf(messages: readonly StoredMessage[]): readonly Exchange[] {
  const exchanges: StoredMessage[][] = [];
  for (const one of messages) {
    const open = exchanges.at(-1);
    if (open !== undefined && (one.message.role === "tool" || isWaiting(open))) open.push(one);
    else exchanges.push([one]);
  }
  return exchanges;
}

/** True while results are missing: messages in between belong to the exchange. */
function isWaiting(exchange: Exchange): boolean {
  const messages: readonly Message[] = exchange.map(({ message }) => message);
  const answered = new Set(
    messages.flatMap((message) =>
      message.role === "tool" ? message.results.map(({ callId }) => callId) : [],
    ),
  );
  return messages.some(
    (message) => message.role === "assistant" && callsOf(message).some(({ id }) => !answered.has(id)),
  );
}

const CUTS = { said: 240, tool: 80 } as const;
const MAX_SENTENCE_CHARACTERS = 400;
const BREAKS = /\s*[\n\r\u2028\u2029]+\s*/g;

/** Summarises messages without a model: every message on one line, cut, and sentences about decisions in full. */
function digest(messages: readonly StoredMessage[]): Summary {
  return {
    decisions: messages.flatMap(({ message }) => decisionsIn(message)),
    story: messages
      .map(({ seq, message }) => renderMessage(seq, message, CUTS).replaceAll(BREAKS, " "))
      .filter((line) => line !== "")
      .join("\n"),
  };
}

/** Permanent wishes of a person count as decisions. Tool results contain none. */
function decisionsIn(message: Message): readonly string[] {
  if (message.role === "user") {
    const text = contentText(message.content);
    return sentencesOf(text).filter((sentence) => DECIDED.test(sentence) || WISHED.test(sentence));
  }
  if (message.role === "tool") return [];
  return sentencesOf(textOf(message.parts)).filter((sentence) => DECIDED.test(sentence));
}

const DECIDED =
  /\b(?:decid(?:e|ed|es|ing)|decisions?|agreed (?:on|to)|settled on|we(?:'ll| will| shall) (?:use|keep|go with))\b/i;
const WISHED =
  /\b(?:from now on|(?:must|shall|should) (?:always|never)|let(?:'s| us) (?:use|keep|go with|stick)|always|never)\b/i;

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?。！？])\s+|[\n\r\u2028\u2029]+/u)
    .map((sentence) => cutMiddle(sentence.trim(), MAX_SENTENCE_CHARACTERS))
    .filter((sentence) => sentence !== "" && !sentence.endsWith("?"));
}
