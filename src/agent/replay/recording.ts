import { setTimeout as wait } from "node:timers/promises";
import type { Message, AssistantMessage } from "../../core/agent/message.ts";
import type { Usage, Model, ModelPart, StopReason } from "../../core/agent/model.ts";
import type { AgentState } from "../../core/agent/team.ts";
import { AT_REST } from "../runtime/agent-states.ts";
import type { Entry } from "../sessions/transcript.ts";
import { ToolError } from "../../core/errors.ts";
import { originOf } from "../../core/events.ts";
import type { ToolCall } from "../../core/call.ts";
import { interruptedAnswer } from "../../store/journal/interrupted-answer.ts";
import type { ToolResult } from "../../core/result.ts";
import { maskValue } from "../../secrets/mask-json.ts";
import { defined } from "../../util/json/defined.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { RunOptions } from "../../engine/types/options.ts";
import { createEngine } from "../../engine/engine.ts";
import { createListeners } from "../../engine/listeners.ts";

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

/** Creates a model that gives the recorded answers, failures and cancellations. It makes no requests. */
export function recordedModel(id: string, replay: Replay): Model {
  return {
    id,
    format: "openai",
    // Never compacted: its answers do not depend on the conversation.
    window: Number.MAX_SAFE_INTEGER,
    price: undefined,
    async *stream({ signal }): AsyncIterable<ModelPart> {
      const { recording, speed } = replay;
      const step = recording.next();
      const rest = recording.rest();
      if (rest !== undefined) {
        if (rest.state === "failed") throw new ToolError("MODEL_FAILED", rest.reason ?? "the model failed");
        replay.stop(rest.reason ?? "as recorded");
        return;
      }
      const message = answerOf(step);
      if (step === undefined || message === undefined) {
        replay.differs(step, "the model is asked");
        return;
      }
      await wait(speed === undefined ? 0 : step.waitMs / speed, undefined, { signal });
      yield* deltasOf(message);
      yield { type: "done", parts: message.parts, reason: reasonOf(message, replay), usage: step.usage };
    },
  };
}

/** Empty answers are not stored, but the loop's message about them is. */
function answerOf(step: Step | undefined): AssistantMessage | undefined {
  if (step?.message.role === "assistant") return step.message;
  return isGuard(step, "empty") ? { role: "assistant", parts: [] } : undefined;
}

function* deltasOf({ parts }: AssistantMessage): Iterable<ModelPart> {
  for (const part of parts) if (part.type !== "call") yield { type: part.type, text: part.text };
}

/** The stop reason is not stored; it is inferred from the next message. */
function reasonOf({ parts }: AssistantMessage, { recording }: Replay): StopReason {
  if (parts.some(({ type }) => type === "call")) return "calls";
  return isGuard(recording.next(1), "length") ? "length" : "stop";
}

/** Creates an engine whose calls get the recorded results. Nothing runs. */
export function recordedEngine(replay: Replay): Engine {
  const engine = createEngine();
  const listeners = createListeners();
  const runAll = async (
    calls: readonly ToolCall[],
    { session, signal }: Pick<RunOptions, "session" | "signal"> = {},
  ): Promise<readonly ToolResult[]> => {
    const step = replay.recording.next();
    const recorded = step?.message.role === "tool" && step.rest === undefined ? step.message.results : [];
    if (replay.speed !== undefined) {
      const waitMs = (step?.waitMs ?? 0) / replay.speed;
      await wait(waitMs, undefined, defined({ signal })).catch(() => undefined);
    }
    if (recorded.length !== calls.length)
      replay.differs(step, `${calls.map(({ name }) => name).join(", ")} is called`);
    // Which calls ran in parallel is not stored: events are emitted one call after the other.
    return calls.map((call, index) => {
      const { id: callId, name, input } = call;
      const maskedInput = maskValue(input, engine.masker);
      listeners.emit({ ...originOf(session), type: "call.received", callId, name, input: maskedInput });
      // By position, because a call may have another id.
      const recordedResult = recorded[index];
      const result = recordedResult === undefined ? missingResult(call) : { ...recordedResult, callId };
      listeners.emit({ ...originOf(session), type: "call.answered", callId, result });
      return result;
    });
  };
  return {
    ...engine,
    runAll,
    async run(call, options) {
      const [result] = await runAll([call], options);
      return result ?? missingResult(call);
    },
    on: listeners.add,
  };
}

function missingResult({ id, name }: ToolCall): ToolResult {
  const now = Date.now();
  return interruptedAnswer({ callId: id, name, receivedAt: now, startedAt: null, effects: null }, now);
}
