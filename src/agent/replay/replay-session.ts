import type { Event } from "../../core/events.ts";
import type { Approval } from "../../core/approval.ts";
import { ToolError } from "../../core/errors.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Message, UserMessage } from "../../core/agent/message.ts";
import type { AgentEvent } from "../runtime/agent-events.ts";
import { createAgent } from "../create-agent.ts";
import type { Outcome, RunningAgent } from "../runtime/running-agent.ts";
import { openTranscripts } from "../sessions/open-transcripts.ts";
import type { Entry, SessionInfo } from "../sessions/transcript.ts";
import type { Difference } from "./first-difference.ts";
import { firstDifference } from "./first-difference.ts";
import { recordedEngine } from "./recorded-engine.ts";
import { recordedModel } from "./recorded-model.ts";
import type { Recording } from "./recording.ts";
import { createRecording, describeMessage, isGuard } from "./recording.ts";
import type { Replay } from "./replay.ts";

export interface ReplayOptions {
  readonly info: SessionInfo;
  readonly entries: readonly Entry[];
  /** Hears everything, as if the session ran. */
  readonly onEvent: (event: Event | AgentEvent) => void;
  /** Called with what came of each message that was sent, in order. */
  readonly onOutcome?: (outcome: Outcome) => void | Promise<void>;
  /** How many times as fast as it was recorded; left out: without waiting. */
  readonly speed?: number;
  readonly signal: AbortSignal;
}

/**
 * Runs a recorded session again through the real loop, with the answers that were recorded in place of the model's and the tools'.
 * Nothing outside is touched and nothing is kept. Gives the first thing that is now done otherwise; undefined where nothing is.
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
      cancel("it no longer goes as it was recorded");
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
    ask: async () => goesOn(recording),
  });
  cancel = (reason) => void agent.cancel(reason);
  agent.on((event) => {
    onEvent(event);
    if (event.type === "message.added") follow(replay, event.message);
  });
  try {
    await drive(agent, { replay, options, isOver: () => difference !== undefined || signal.aborted });
    if (difference !== undefined || signal.aborted) return difference;
    return firstDifference(entries, await openTranscripts(collections).entries(session));
  } finally {
    await agent.close();
    await engine.close();
    await collections.close();
  }
}

/** Sends what was sent, one after the other, until the recording is at its end. */
async function drive(
  agent: RunningAgent,
  {
    replay,
    options,
    isOver,
  }: { readonly replay: Replay; readonly options: ReplayOptions; readonly isOver: () => boolean },
): Promise<void> {
  const { recording } = replay;
  for (let step = recording.next(); step !== undefined && !isOver(); step = recording.next()) {
    const { message } = step;
    // The schema of a last answer is not kept: what the loop said about it is sent as a message.
    if (message.role !== "user" || (isGuard(step) && !isGuard(step, "output"))) {
      return replay.differs(step, "the task is done");
    }
    const { content, from } = message;
    const outcome = await agent.send(content, {
      signal: options.signal,
      ...(from !== undefined && { from }),
    });
    await options.onOutcome?.(outcome);
    // Whatever it was, it did not become part of the conversation.
    if (recording.next() === step) return replay.differs(step, "the message is not taken in");
  }
}

/** What was sent while the task was under way. */
function waiting(recording: Recording): readonly UserMessage[] {
  const messages: UserMessage[] = [];
  if (recording.rest() !== undefined) return messages;
  for (let later = 0; ; later += 1) {
    const step = recording.next(later);
    if (step?.message.role !== "user" || step.rest !== undefined || isGuard(step)) return messages;
    messages.push(step.message);
  }
}

/** Whether the task went on when it was in a circle. Where the model was told of it there was nobody to ask. */
function goesOn(recording: Recording): Approval {
  if (isGuard(recording.next(), "loop")) throw new ToolError("UNAVAILABLE", "nobody was there to ask");
  const rest = recording.rest();
  return rest === undefined
    ? { approved: true, scope: "once" }
    : { approved: false, reason: rest.reason ?? "as it was recorded" };
}

/** The recording goes one message further with the session, as long as both say the same kind of thing. */
function follow(replay: Replay, message: Message): void {
  const step = replay.recording.next();
  if (step === undefined || kindOf(step.message) !== kindOf(message))
    replay.differs(step, describeMessage(message));
  replay.recording.advance();
}

function kindOf(message: Message): string {
  return message.role === "user" ? `user ${message.from?.kind} ${message.from?.name}` : message.role;
}
