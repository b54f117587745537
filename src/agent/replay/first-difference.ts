import { isDeepStrictEqual } from "node:util";
import type { Message } from "../../core/agent/message.ts";
import type { Entry } from "../sessions/transcript.ts";
import { describeMessage } from "./recording.ts";

/** Where a replay left its recording. */
export interface Difference {
  /** The entry that was recorded; undefined past the last. */
  readonly seq: number | undefined;
  readonly recorded: string;
  readonly now: string;
}

/** What the loop made of the same answers. Ids are its own to give, and its words to the model may have become others. */
export function firstDifference(recorded: readonly Entry[], now: readonly Entry[]): Difference | undefined {
  const [before, after] = [messagesOf(recorded), messagesOf(now)];
  for (const [index, { seq, message }] of before.entries()) {
    const other = after[index];
    if (other === undefined) return { seq, recorded: describeMessage(message), now: "it is over" };
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
