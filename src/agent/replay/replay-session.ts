import { isDeepStrictEqual } from "node:util";
import type { EngineEvent } from "../../core/events.ts";
import type { Approval } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { defined } from "../../util/json/defined.ts";
import type { Message, UserMessage } from "../../core/agent/message.ts";
import type { AgentEvent } from "../runtime/agent-events.ts";
import { createAgent } from "../create-agent.ts";
import type { RunningAgent } from "../runtime/running-agent.ts";
import type { Outcome } from "../runtime/outcome.ts";
import { openTranscripts } from "../sessions/open-transcripts.ts";
import type { Entry, SessionInfo } from "../sessions/transcript.ts";
import {
  recordedEngine,
  recordedModel,
  createRecording,
  describeMessage,
  isGuard,
  type Recording,
  type Replay,
} from "./recording.ts";

interface ReplayOptions {
  readonly info: SessionInfo;
  readonly entries: readonly Entry[];
  /** Receives all events, as if the session ran. */
  readonly onEvent: (event: EngineEvent | AgentEvent) => void;
  /** Called with the outcome of each message, in order. */
  readonly onOutcome?: (outcome: Outcome) => void | Promise<void>;
  /** A factor of the recorded speed; default: without waiting. */
  readonly speed?: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a recorded session again through the real loop, with the recorded answers of the model and the tools. Has no effects and stores
 * nothing. Returns the first difference, undefined if there is none.
 */
export async function replaySession(options: ReplayOptions): Promise<Difference | undefined> {
  const { info, entries, onEvent, speed, signal } = options;
  const recording = createRecording(entries);
  let difference: Difference | undefined;
  let cancel = (_reason: string): void => undefined;
  const replay: Replay = {
    recording,
    speed,
    differs(step, now) {
      difference ??= { seq: step?.seq, recorded: describeMessage(step?.message), now };
      cancel("the replay differs from the recording");
    },
    stop: (reason) => cancel(reason),
  };
  const collections = createMemoryCollections();
  const engine = recordedEngine(replay);
  engine.on(onEvent);
  const { id: session, agent: identity, workspace } = info;
  const agent = await createAgent({
    engine,
    model: recordedModel(info.model, replay),
    collections,
    session,
    identity,
    workspace,
    instructions: "",
    incoming: async () => waiting(recording),
    ask: async () => loopDecision(recording),
  });
  cancel = (reason) => void agent.cancel(reason);
  agent.on((event) => {
    onEvent(event);
    if (event.type === "message.added") follow(replay, event.message);
  });
  try {
    await drive(agent, replay, options, () => difference !== undefined || signal.aborted);
    if (difference !== undefined || signal.aborted) return difference;
    return firstDifference(entries, await openTranscripts(collections).entries(session));
  } finally {
    await agent.close();
    await engine.close();
    await collections.close();
  }
}

/** Sends the recorded messages, one after the other, to the end of the recording. */
async function drive(
  agent: RunningAgent,
  replay: Replay,
  options: ReplayOptions,
  isOver: () => boolean,
): Promise<void> {
  const { recording } = replay;
  for (let step = recording.next(); step !== undefined && !isOver(); step = recording.next()) {
    const { message } = step;
    // The output schema is not stored: the loop's message about it is sent as a user message.
    if (message.role !== "user" || (isGuard(step) && !isGuard(step, "output"))) {
      return replay.differs(step, "the task has ended");
    }
    const { content, from } = message;
    const outcome = await agent.send(content, { signal: options.signal, ...defined({ from }) });
    await options.onOutcome?.(outcome);
    // The message was not added to the conversation.
    if (recording.next() === step) return replay.differs(step, "the message is not added");
  }
}

/** Returns the messages that were sent during the task. */
function waiting(recording: Recording): readonly UserMessage[] {
  const messages: UserMessage[] = [];
  if (recording.rest() !== undefined) return messages;
  for (let later = 0; ; later += 1) {
    const step = recording.next(later);
    if (step?.message.role !== "user" || step.rest !== undefined || isGuard(step)) return messages;
    messages.push(step.message);
  }
}

/** Returns the recorded decision about a loop. If the model was told, nobody could be asked. */
function loopDecision(recording: Recording): Approval {
  if (isGuard(recording.next(), "loop")) throw new ToolError("UNAVAILABLE", "nobody could be asked");
  const rest = recording.rest();
  return rest === undefined
    ? { approved: true, scope: "once" }
    : { approved: false, reason: rest.reason ?? "as recorded" };
}

/** Advances the recording with the session, as long as both have the same kind of message. */
function follow(replay: Replay, message: Message): void {
  const step = replay.recording.next();
  if (step === undefined || kindOf(step.message) !== kindOf(message))
    replay.differs(step, describeMessage(message));
  replay.recording.advance();
}

function kindOf(message: Message): string {
  return message.role === "user" ? `user ${message.from?.kind} ${message.from?.name}` : message.role;
}

/** The first point at which a replay differs from its recording. */
export interface Difference {
  /** The number of the recorded entry; undefined after the last. */
  readonly seq: number | undefined;
  /** What the recording has there, as text for people. */
  readonly recorded: string;
  /** What the replay has there, as text for people. */
  readonly now: string;
}

/** Compares the messages of two runs, without ids and without the loop's own messages. */
function firstDifference(recorded: readonly Entry[], now: readonly Entry[]): Difference | undefined {
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
