import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../core/store/interrupted-answer.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Message, ToolMessage } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";
import { openCalls } from "./open-calls.ts";

/**
 * The results that the last assistant message still lacks, for a session that is taken up again: those that the journal has, and for
 * the others the word that nobody knows what became of them. Undefined where none is missing. Runs nothing.
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
    const answer = await journaled(call, { journal, session, known });
    results.push(answer ?? interruptedAnswer(unknownFate(call, now), now));
  }
  return { role: "tool", results };
}

interface Kept {
  readonly journal: Journal | undefined;
  readonly session: string | undefined;
  readonly known: readonly ToolResult[];
}

/** Some models number their calls anew in every message: an answer that was given to an earlier call is not this one's. */
async function journaled(
  { id, name }: ToolCall,
  { journal, session, known }: Kept,
): Promise<ToolResult | undefined> {
  const scope = session === undefined ? {} : { session };
  const records = (await journal?.list({ callId: id, name, ...scope, limit: 1 })) ?? [];
  const answer = records[0]?.answer ?? undefined;
  const isAnothers = known.some(
    ({ callId, meta }) => callId === id && meta.startedAt === answer?.meta.startedAt,
  );
  return isAnothers ? undefined : answer;
}

/** It may have run, and nobody can say what it did: the careful reading. */
function unknownFate({ id, name }: ToolCall, now: number): Parameters<typeof interruptedAnswer>[0] {
  return { callId: id, name, receivedAt: now, startedAt: null, effects: "unsafe" };
}
