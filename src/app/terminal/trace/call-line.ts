import type { CallRecord } from "../../../core/store/journal.ts";
import { shortened } from "../../../util/text/shortened.ts";
import { visible } from "../../../util/text/visible.ts";
import { commandFailure } from "../print/command-failure.ts";
import { summarizeInput } from "./summarize-input.ts";

/** The width of lines that are not printed to a terminal, or to a wide one. */
const WIDTH = 80;
const NARROWEST = 60;
const ID = 8;
const NAME = 14;

/** Returns one line about a call: time, short id, tool, input, outcome, duration. */
export function callLine(call: CallRecord, columns = WIDTH): string {
  const { callId, name, receivedAt, input, answer } = call;
  const time = timeOf(receivedAt);
  const end = `${shortened(outcomeOf(call), 20)} ${durationText(answer?.meta.durationMs)}`.trimEnd();
  const start = `${time} ${shortId(callId).padEnd(ID)} ${cut(visible(name), NAME)}`;
  const rest = Math.max(columns, NARROWEST) - start.length - end.length - 2;
  return `${start} ${cut(summarizeInput(input, Math.max(rest, 1)), rest)} ${end}`;
}

/** Returns the part of an id that is shown; `toolwright trace show` finds the call by it. */
export function shortId(callId: string): string {
  const id = visible(callId);
  if (id.length <= ID) return id;
  // The ids of models differ in their last characters: toolu_01…, call_….
  return /^[0-9a-f]{8}-/.test(id) ? id.slice(0, ID) : id.slice(-ID);
}

/** Returns ok, the failure of the command, the code of the error, or the state of a call without an answer. */
export function outcomeOf({ answer, state }: CallRecord): string {
  if (answer === null) return state;
  if (!answer.ok) return answer.error.code;
  const failure = commandFailure(answer);
  return failure === undefined ? "ok" : (failure.split(":", 1)[0] ?? failure);
}

export function durationText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "";
  if (milliseconds < 1000)
    return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}ms`;
  return milliseconds < 100_000
    ? `${(milliseconds / 1000).toFixed(1)}s`
    : `${Math.round(milliseconds / 60_000)}min`;
}

/** Returns the local time; the day too unless it is today. */
function timeOf(milliseconds: number): string {
  const at = new Date(milliseconds);
  const two = (value: number): string => String(value).padStart(2, "0");
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? time : `${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

function cut(text: string, width: number): string {
  return shortened(text, Math.max(width, 0)).padEnd(Math.max(width, 0));
}
