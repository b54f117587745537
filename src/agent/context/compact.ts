import type { Model, ModelTool } from "../../core/agent/model.ts";
import type { GoalBook } from "../../tools/memory/goals/goals.ts";
import type { StoredMessage } from "../sessions/conversation-of.ts";
import { summaryMessage } from "../sessions/conversation-of.ts";
import { askForSummary } from "./ask-for-summary.ts";
import { digest } from "./digest.ts";
import type { Exchange } from "./divide.ts";
import { exchangesOf } from "./divide.ts";
import { estimateText } from "./estimate-text.ts";
import { estimateMessage, estimateTokens } from "./estimate-tokens.ts";
import { contentText } from "../../util/text/content-text.ts";
import type { Retelling } from "./summary.ts";
import { bookTokens, mergeDecisions, readSummary, renderSummary } from "./summary.ts";

/** Of the room for messages, what a summary may take beside what is in the book. */
const SUMMARY_SHARE = 0.25;
const LEAST_SUMMARY_TOKENS = 300;
/** Less than this is told in its own words sooner than asked about. */
const WORTH_ASKING_TOKENS = 500;
const LEAST_STORY_TOKENS = 100;

export interface CompactRequest {
  readonly model: Model;
  /** As `conversationOf` gives them. */
  readonly messages: readonly StoredMessage[];
  readonly instructions: string;
  readonly tools: readonly ModelTool[];
  readonly book: GoalBook;
  /** What the whole request shall take afterwards. Where it takes no more now, half of its messages are left out. */
  readonly targetTokens: number;
  readonly signal: AbortSignal;
}

/** What a compaction entry says. */
export interface Compacted {
  readonly summary: string;
  readonly keptFrom: number;
}

/**
 * Makes a conversation shorter: the newest messages stay whole, the older ones are told by a summary. Never parts a call from its
 * result, and never leaves out the last message, a goal or a recorded decision. Undefined where nothing would become shorter.
 */
export async function compact(request: CompactRequest): Promise<Compacted | undefined> {
  const { messages, book } = request;
  const room = roomOf(request);
  const earlier = earlierOf(messages);
  const share = Math.max(LEAST_SUMMARY_TOKENS, room * SUMMARY_SHARE);
  const summaryTokens = bookTokens(book) + share;
  const exchanges = exchangesOf(messages.filter(({ seq }) => seq > 0));
  const first = firstKept(exchanges, room - summaryTokens);
  const [older, kept] = [exchanges.slice(0, first).flat(), exchanges.slice(first).flat()];
  const keptFrom = kept[0]?.seq;
  if (keptFrom === undefined || (older.length === 0 && earlier === NOTHING)) return undefined;

  const decided = Math.min(share, estimateText(earlier.decisions.join("\n")) + LEAST_STORY_TOKENS);
  const maxTokens = Math.min(summaryTokens, Math.max(bookTokens(book) + decided, room - tokensOf(kept)));
  const told = await retell(request, { older, earlier, maxTokens });
  const summary = renderSummary(told, book, maxTokens);
  const isShorter = tokensOf([summaryMessage(summary), ...kept]) < tokensOf(messages);
  return isShorter ? { summary, keptFrom } : undefined;
}

const NOTHING: Retelling = { decisions: [], story: "" };

function earlierOf([first]: readonly StoredMessage[]): Retelling {
  if (first?.seq !== 0 || first.message.role !== "user") return NOTHING;
  return readSummary(contentText(first.message.content));
}

/** What messages may take; negative where instructions and tools alone are too much. */
function roomOf({ messages, instructions, tools, targetTokens }: CompactRequest): number {
  const aimed = targetTokens - estimateTokens({ instructions, tools, messages: [] });
  const taken = tokensOf(messages);
  return taken > aimed ? aimed : taken / 2;
}

/** The place of the first exchange that stays: as many as there is room for, and always the last. */
function firstKept(exchanges: readonly Exchange[], room: number): number {
  let left = room;
  const tooMuch = exchanges.findLastIndex((exchange) => (left -= tokensOf(exchange)) < 0);
  return Math.min(tooMuch + 1, exchanges.length - 1);
}

interface Older {
  readonly older: readonly StoredMessage[];
  readonly earlier: Retelling;
  readonly maxTokens: number;
}

/** What the older messages come to, together with what was told before: in the model's words, or where it has none in theirs. */
async function retell(
  { model, signal, book }: CompactRequest,
  { older, earlier, maxTokens }: Older,
): Promise<Retelling> {
  const isWorthAsking = tokensOf(older) >= WORTH_ASKING_TOKENS;
  const asked =
    isWorthAsking && (await askForSummary({ model, messages: older, earlier, maxTokens, signal }));
  const told = asked || digested(older, earlier);
  return { story: told.story, decisions: mergeDecisions(earlier.decisions, told.decisions, book) };
}

function digested(older: readonly StoredMessage[], earlier: Retelling): Retelling {
  const { decisions, story } = digest(older);
  return { decisions, story: `${earlier.story}\n${story}`.trim() };
}

function tokensOf(messages: readonly StoredMessage[]): number {
  return messages.reduce((total, { message }) => total + estimateMessage(message), 0);
}
