import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../store/journal/interrupted-answer.ts";
import type { Journal } from "../../core/store/journal.ts";
import { callsOf, type Message, type ToolMessage } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";
import { defined } from "../../util/json/defined.ts";
import { ToolError } from "../../core/errors.ts";
import type { Entry } from "./transcript.ts";

/**
 * Returns the missing results of the last assistant message in a resumed session: from the journal, or as interrupted if the journal
 * has none. Undefined if none is missing. Runs nothing.
 */
export async function settleCalls(
  messages: readonly Message[],
  journal: Journal | undefined,
  session?: string,
): Promise<ToolMessage | undefined> {
  const open = openCalls(messages);
  if (open.length === 0) return undefined;
  const known = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  const now = Date.now();
  const results: ToolResult[] = [];
  for (const call of open) {
    const { id: callId, name } = call;
    const answer = await journaled(call, known, journal, session);
    // Without one the worst is assumed: the call may have run and had effects.
    const unknown = { callId, name, receivedAt: now, startedAt: null, effects: "unsafe" } as const;
    results.push(answer ?? interruptedAnswer(unknown, now));
  }
  return { role: "tool", results };
}

/** Some models reuse call ids: a result that belongs to an earlier call is not returned. */
async function journaled(
  { id, name }: ToolCall,
  known: readonly ToolResult[],
  journal: Journal | undefined,
  session: string | undefined,
): Promise<ToolResult | undefined> {
  const records = (await journal?.list({ callId: id, name, ...defined({ session }), limit: 1 })) ?? [];
  const answer = records[0]?.answer ?? undefined;
  const isOfEarlierCall = known.some(
    ({ callId, meta }) => callId === id && meta.startedAt === answer?.meta.startedAt,
  );
  return isOfEarlierCall ? undefined : answer;
}

/** Returns the calls of the last assistant message that have no result. Earlier calls always have one. */
export function openCalls(messages: readonly Message[]): readonly ToolCall[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const message = messages[last];
  if (message?.role !== "assistant") return [];
  const answered = new Set(
    messages
      .slice(last + 1)
      .flatMap((later) => (later.role === "tool" ? later.results.map(({ callId }) => callId) : [])),
  );
  return callsOf(message).filter(({ id }) => !answered.has(id));
}

/** Returns the entries up to `at`, without a last message whose calls have no result yet: they may still run in the original. */
export function forkable(entries: readonly Entry[], at = entries.length): readonly Entry[] {
  if (!Number.isInteger(at) || at < 0 || at > entries.length) {
    throw new ToolError("INVALID_INPUT", `the session has no entry ${at}`, {
      hint: entries.length === 0 ? "it has no entries" : `its entries are 1 to ${entries.length}`,
    });
  }
  const wanted = entries.slice(0, at);
  const messages = wanted.flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
  if (openCalls(messages).length === 0) return wanted;
  const asking = wanted.findLastIndex(
    (entry) => entry.kind === "message" && entry.message.role === "assistant",
  );
  return wanted.slice(0, asking);
}
