import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../store/journal/interrupted-answer.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Message, ToolMessage } from "../../core/agent/message.ts";
import type { ToolResult } from "../../core/result.ts";
import { defined } from "../../util/json/defined.ts";
import { openCalls } from "./open-calls.ts";

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
    const answer = await journaled(call, { journal, session, known });
    results.push(answer ?? interruptedAnswer(unknownCall(call, now), now));
  }
  return { role: "tool", results };
}

interface Sources {
  readonly journal: Journal | undefined;
  readonly session: string | undefined;
  readonly known: readonly ToolResult[];
}

/** Some models reuse call ids: a result that belongs to an earlier call is not returned. */
async function journaled(
  { id, name }: ToolCall,
  { journal, session, known }: Sources,
): Promise<ToolResult | undefined> {
  const scope = defined({ session });
  const records = (await journal?.list({ callId: id, name, ...scope, limit: 1 })) ?? [];
  const answer = records[0]?.answer ?? undefined;
  const isOfEarlierCall = known.some(
    ({ callId, meta }) => callId === id && meta.startedAt === answer?.meta.startedAt,
  );
  return isOfEarlierCall ? undefined : answer;
}

/** Assumes the worst: the call may have run and had effects. */
function unknownCall({ id, name }: ToolCall, now: number): Parameters<typeof interruptedAnswer>[0] {
  return { callId: id, name, receivedAt: now, startedAt: null, effects: "unsafe" };
}
