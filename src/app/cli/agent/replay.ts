import { defined } from "../../../util/json/defined.ts";
import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { Outcome } from "../../../agent/runtime/outcome.ts";
import type { SessionInfo } from "../../../agent/sessions/transcript.ts";
import { replaySession, type Difference } from "../../../agent/replay/replay-session.ts";
import type { EngineEvent } from "../../../core/events.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { exitCodeOf } from "../../terminal/print/print-result.ts";
import { findSession, withTranscripts } from "../../host/store/find-session.ts";
import { loadSettings } from "../../terminal/input/load-settings.ts";
import { numberFlag, onlyArgument } from "../../terminal/input/check-arguments.ts";
import { describeTaskEvent } from "../../terminal/print/describe-task-event.ts";
import { visible, visibleJson, visibleLine } from "../../../util/text/visible.ts";
import { contentText } from "../../../util/text/content-text.ts";

export const replay: Command = {
  name: "replay",
  summary: "replay a recorded session with its recorded answers; runs no tools and calls no model",
  usage: "ID [--json] [--speed N]",
  positionals: ["session"],
  flags: {
    json: { summary: "print every event as a JSON line; the last one is the outcome" },
    speed: { summary: "playback speed, 1 for the recorded one (default: as fast as possible)", value: "N" },
    ...STORED_FLAGS,
  },
  examples: {
    "replay 1f0c22ab": "print the messages and calls; exit code 1 if the replay differs",
    "replay 1f0c22ab --speed 1": "replay at the recorded speed",
  },
  async run(given, world) {
    const speed = numberFlag(given, "speed", (value) => value > 0 && value < Infinity, "a number above 0");
    const { info, entries } = await readSession(given, world);
    using interrupt = world.interrupt();
    const signal = AbortSignal.any([interrupt.signal, world.output.closed]);
    const isJson = given.flags["json"] === true;
    const difference = await replaySession({
      info,
      entries,
      signal,
      onEvent: (event) => void show(event, isJson, world),
      onOutcome: (outcome) => (isJson ? undefined : showOutcome(outcome, world)),
      ...defined({ speed }),
    });
    if (signal.aborted) return exitCodeOf({ code: "CANCELLED" });
    await conclude(info, difference, { isJson, world });
    return difference === undefined ? 0 : 1;
  },
};

/** Reads a session and closes the store before the replay starts. */
async function readSession({ positionals, flags }: Arguments, world: World) {
  const id = onlyArgument(positionals, "session id: toolwright replay ID", "toolwright sessions lists them");
  return withTranscripts(loadSettings(flags, world), async (transcripts) => {
    const info = await findSession(transcripts, id);
    return { info, entries: await transcripts.entries(info.id) };
  });
}

async function show(event: EngineEvent | AgentEvent, isJson: boolean, { output }: World): Promise<void> {
  if (isJson) return output.print(`${visibleJson(JSON.stringify(event))}\n`);
  if (event.type === "message.added" && event.message.role === "user") {
    const { content, from } = event.message;
    const text = contentText(content, " ");
    return output.log(`${from?.name ?? ""}> ${visibleLine(text)}`);
  }
  const line = describeTaskEvent(event);
  if (line !== undefined) output.log(line);
}

async function showOutcome(outcome: Outcome, { output }: World): Promise<void> {
  if (outcome.kind === "answered") return output.print(`${visible(outcome.text.trimEnd())}\n`);
  if (outcome.kind === "stopped") return output.log(`stopped: ${visibleLine(outcome.detail)}`);
  return output.log(`failed: ${visibleLine(outcome.fault.message)}`);
}

async function conclude(
  { id }: SessionInfo,
  difference: Difference | undefined,
  { isJson, world: { output } }: { readonly isJson: boolean; readonly world: World },
): Promise<void> {
  if (isJson) {
    const isSame = difference === undefined;
    const last = { type: "outcome", session: id, isSame, difference: difference ?? null };
    return output.print(`${visibleJson(JSON.stringify(last))}\n`);
  }
  if (difference === undefined) return output.log(`session ${visible(id)} matches its recording`);
  const { seq, recorded, now } = difference;
  const place = seq === undefined ? "after its last entry" : `at entry ${seq}`;
  return output.log(`toolwright: the replay differs ${place}: recorded ${recorded}; now ${now}`);
}
