import type { EngineEvent } from "../../../core/events.ts";
import { ToolError } from "../../../core/errors.ts";
import { callsOf } from "../../../core/agent/message.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { replaySession, type Difference } from "../../../agent/replay/replay-session.ts";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { Outcome } from "../../../agent/runtime/outcome.ts";
import { openTranscripts } from "../../../agent/sessions/open-transcripts.ts";
import type { Entry, SessionInfo } from "../../../agent/sessions/transcript.ts";
import type { ScriptedAnswer } from "../../../models/scripted-answers.ts";
import { isObject } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";

/** A session as a fixture of tests: JSON, as `exportJson` and `toolwright sessions export --format json` write it. */
export interface RecordedSession {
  /** The summary data of the session. */
  readonly info: SessionInfo;
  /** All entries, in order. */
  readonly entries: readonly Entry[];
}

/** Reads a stored session. Throws `INVALID_INPUT` if there is none with this id. */
export async function readSession(collections: Collections, id: string): Promise<RecordedSession> {
  const transcripts = openTranscripts(collections);
  const info = await transcripts.info(id);
  if (info === undefined) throw new ToolError("INVALID_INPUT", `there is no session "${id}" in the store`);
  return { info, entries: await transcripts.entries(id) };
}

/** Parses an exported session. Throws `INVALID_INPUT` if the text is not one. */
export function parseSession(text: string): RecordedSession {
  const parsed = parseJson(text);
  if (isObject(parsed) && parsed["format"] === "toolwright-session" && parsed["version"] === 1)
    return parsed as unknown as RecordedSession;
  throw new ToolError("INVALID_INPUT", "the text is not an exported session", {
    hint: "export one with exportJson, or with: toolwright sessions export ID --format json",
  });
}

/** Returns the answers of the session's model, in order, for `createScriptedModel`: the tools of today run against them. */
export function answersOf({ entries }: RecordedSession): readonly ScriptedAnswer[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "message" || entry.message.role !== "assistant") return [];
    const { message } = entry;
    const textOf = (type: "text" | "reasoning"): string =>
      message.parts.map((part) => (part.type === type ? part.text : "")).join("");
    const [text, reasoning, calls] = [textOf("text"), textOf("reasoning"), callsOf(message)];
    return [
      {
        ...(text !== "" && { text }),
        ...(reasoning !== "" && { reasoning }),
        ...(calls.length > 0 && { calls: calls as NonNullable<ScriptedAnswer["calls"]> }),
      },
    ];
  });
}

/** The result of a replay. */
export interface ReplayedSession {
  /** Everything that happened, in order. */
  readonly events: readonly (EngineEvent | AgentEvent)[];
  /** How each task ended. */
  readonly outcomes: readonly Outcome[];
  /** The first point at which today's loop differs from the recording; undefined if it does not. */
  readonly difference: Difference | undefined;
}

/** Runs a recorded session again through the agent loop, with its recorded answers and results: no model is asked and no tool runs. */
export async function replay({ info, entries }: RecordedSession): Promise<ReplayedSession> {
  const events: (EngineEvent | AgentEvent)[] = [];
  const outcomes: Outcome[] = [];
  const difference = await replaySession({
    info,
    entries,
    onEvent: (event) => void events.push(event),
    onOutcome: (outcome) => void outcomes.push(outcome),
    signal: new AbortController().signal,
  });
  return { events, outcomes, difference };
}
