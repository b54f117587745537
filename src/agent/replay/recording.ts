import type { Message } from "../../core/agent/message.ts";
import type { Usage } from "../../core/agent/model.ts";
import type { AgentState } from "../../core/agent/team.ts";
import { AT_REST } from "../runtime/agent-states.ts";
import type { Entry } from "../sessions/transcript.ts";

/** How a task ended. */
interface Rest {
  readonly state: AgentState;
  readonly reason: string | undefined;
}

/** One message of a recorded session. */
export interface Step {
  readonly seq: number;
  readonly message: Message;
  readonly usage: Usage;
  /** Between the message before it and this one. */
  readonly waitMs: number;
  /** Set if a task had ended before it. */
  readonly rest: Rest | undefined;
}

/** A recorded session, read from its beginning to its end. */
export type Recording = ReturnType<typeof createRecording>;

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

export function createRecording(entries: readonly Entry[]) {
  const { steps, end } = readSteps(entries);
  let position = 0;
  return {
    /** Returns the next message, or the one `later` messages after it; undefined after the end. */
    next: (later: number = 0): Step | undefined => steps[position + later],
    /** Returns how the task before this point ended; undefined if it continues. */
    rest: (): Rest | undefined => (position < steps.length ? steps[position]?.rest : end),
    /** Moves to the next message. */
    advance(): void {
      position += 1;
    },
  };
}

/** If the process ended without a final state, the recording ends as idle. */
function readSteps(entries: readonly Entry[]): { readonly steps: readonly Step[]; readonly end: Rest } {
  const usages = new Map(
    entries.flatMap((entry) => (entry.kind === "usage" ? [[entry.turn, entry.usage]] : [])),
  );
  const steps: Step[] = [];
  let rest: Rest | undefined;
  let last = entries[0]?.at ?? 0;
  for (const entry of entries) {
    if (entry.kind === "state" && AT_REST.has(entry.state))
      rest = { state: entry.state, reason: entry.reason };
    if (entry.kind !== "message") continue;
    const { seq, message, at, turn } = entry;
    steps.push({ seq, message, rest, waitMs: Math.max(0, at - last), usage: usages.get(turn) ?? NO_USAGE });
    [rest, last] = [undefined, at];
  }
  return { steps, end: rest ?? { state: "idle", reason: "the recording ends here" } };
}

/** True for a message of the loop itself, optionally with the given name. */
export function isGuard(step: Step | undefined, name?: string): boolean {
  if (step?.message.role !== "user" || step.message.from?.kind !== "guard") return false;
  return name === undefined || step.message.from.name === name;
}

/** Describes a message in a few words. */
export function describeMessage(message: Message | undefined): string {
  if (message === undefined) return "no further message";
  if (message.role === "assistant") return "a model answer";
  if (message.role === "tool") return `results of ${message.results.map(({ name }) => name).join(", ")}`;
  return message.from === undefined
    ? "a user message"
    : `a message from ${message.from.kind} ${message.from.name}`;
}

/** The shared state of a replay. */
export interface Replay {
  readonly recording: Recording;
  /** A factor of the recorded speed; undefined: without waiting. */
  readonly speed: number | undefined;
  /** Records a difference, which ends the replay. */
  differs(recorded: Step | undefined, now: string): void;
  /** Ends the task as it was ended in the recording. */
  stop(reason: string): void;
}
