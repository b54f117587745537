import { isDeepStrictEqual } from "node:util";
import type { Message } from "../../core/agent/message.ts";
import type { Entry } from "../sessions/transcript.ts";
import { describeMessage } from "./recording.ts";

/** The first point at which a replay differs from its recording. */
export interface Difference {
  /** The number of the recorded entry; undefined after the last. */
  readonly seq: number | undefined;
  readonly recorded: string;
  readonly now: string;
}

/** Compares the messages of two runs, without ids and without the loop's own messages. */
export function firstDifference(recorded: readonly Entry[], now: readonly Entry[]): Difference | undefined {
  const [before, after] = [messagesOf(recorded), messagesOf(now)];
  for (const [index, { seq, message }] of before.entries()) {
    const other = after[index];
    if (other === undefined) return { seq, recorded: describeMessage(message), now: "the task has ended" };
    if (message.role === "user" && message.from?.kind === "guard") continue;
    if (!isDeepStrictEqual(withoutIds(message), withoutIds(other.message))) {
      return {
        seq,
        recorded: describeMessage(message),
        now: `${describeMessage(other.message)}, but not the same`,
      };
    }
  }
  return undefined;
}

function messagesOf(entries: readonly Entry[]) {
  return entries.flatMap((entry) => (entry.kind === "message" ? [entry] : []));
}

function withoutIds(message: Message): unknown {
  if (message.role === "user") return message;
  if (message.role === "tool") return message.results.map((result) => ({ ...result, callId: "" }));
  return message.parts.map((part) =>
    part.type === "call" ? { ...part, call: { ...part.call, id: "" } } : part,
  );
}
