import { isObject, type Json } from "../../../core/json.ts";
import type { CallRecord } from "../../../core/store/journal.ts";
import { callKey } from "../../../util/text/call-key.ts";
import { shortened } from "../../../util/text/shortened.ts";
import { visibleLine } from "../../../util/text/visible.ts";
import { ranMs } from "../print/ran-ms.ts";
import { commandFailure } from "../print/command-failure.ts";

type Cells = readonly [time: string, id: string, tool: string, outcome: string, duration: string];

/** Widths of the columns in a list that grows; a longer cell moves its own line only. */
const FIXED = [8, 8, 14, 15, 6];
const [LONGEST_TOOL, LEAST_INPUT, LONGEST_INPUT] = [16, 10, 60];
/** A shorter rest of a message is not worth its place. */
const LEAST_MESSAGE = 20;

/**
 * Returns one line for each call: time, short id, tool, input, outcome and duration, then the error if there is room for it. `width` is that of the
 * terminal, if there is one. Calls with the same id have their keys. `isGrowing`: the calls are a part of a longer list, whose columns have fixed widths.
 */
export function callLines(calls: readonly CallRecord[], width: number | undefined, isGrowing = false) {
  const isToday = calls.every(({ receivedAt }) => dayOf(receivedAt) === dayOf(Date.now()));
  const byId = Map.groupBy(calls, ({ callId }) => callId);
  const idOf = (call: CallRecord): string => {
    const isShared = !isGrowing && (byId.get(call.callId)?.length ?? 0) > 1;
    return isShared ? callKey({ ...call, callId: shortId(call.callId) }) : shortId(call.callId);
  };
  const rows = calls.map((call) => ({ call, cells: cellsOf(call, idOf(call), isToday) }));
  const widths = FIXED.map((fixed, column) =>
    isGrowing ? fixed : Math.max(0, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  // Two blanks between the columns, of which the input is one more.
  const rest = (width ?? Number.POSITIVE_INFINITY) - widths.reduce((sum, one) => sum + one + 2, 0);
  const inputs = rows.map(({ call }) => summarizeInput(call.input, LONGEST_INPUT));
  const wanted = isGrowing ? LONGEST_INPUT : Math.max(LEAST_INPUT, ...inputs.map(({ length }) => length));
  const room = Math.max(LEAST_INPUT, Math.min(wanted, rest));
  return rows.map(({ call, cells }, index) => {
    const [time, id, tool, outcome, duration] = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const input = shortened(inputs[index] ?? "", room).padEnd(room);
    const message = rest - room - 2 < LEAST_MESSAGE ? "" : shortened(messageOf(call), rest - room - 2);
    const text = [time, id, tool, input, outcome, duration, message].join("  ").trimEnd();
    return { text: width === undefined ? text : shortened(text, width), isFailed: isFailed(call) };
  });
}

/** Returns the part of an id that tells it from others: its end, as ids of one provider begin with the same letters. */
export function shortId(callId: string): string {
  const [, root = callId, path = ""] = /^(.*?)((?:\.\d+)*)$/s.exec(callId) ?? [];
  return (root.length > 12 ? root.slice(-8) : root) + path;
}

function cellsOf(call: CallRecord, id: string, isToday: boolean): Cells {
  const { receivedAt, name, answer } = call;
  return [
    isToday ? timeText(receivedAt).slice(11) : timeText(receivedAt).slice(5, 16),
    visibleLine(id),
    shortened(visibleLine(name), LONGEST_TOOL),
    outcomeOf(call),
    ranText(answer),
  ];
}

/** Returns a time as `2026-03-01 12:30:00`, in the time zone of this machine. */
export function timeText(milliseconds: number): string {
  const date = new Date(milliseconds);
  return new Date(milliseconds - date.getTimezoneOffset() * 60_000)
    .toISOString()
    .replace("T", " ")
    .slice(0, 19);
}

function dayOf(milliseconds: number): string {
  return timeText(milliseconds).slice(0, 10);
}

function isFailed({ answer }: CallRecord): boolean {
  return answer !== null && (!answer.ok || commandFailure(answer) !== undefined);
}

/** Returns the error of a call, or the last line of its failed command. */
function messageOf({ answer }: CallRecord): string {
  if (answer === null) return "";
  return answer.ok
    ? (commandFailure(answer)?.replace(/^[^:]*:? ?/, "") ?? "")
    : visibleLine(answer.error.message);
}

/** Returns ok, the failure of the command, the code of the error, or the state of a call without an answer. */
export function outcomeOf({ answer, state }: CallRecord): string {
  if (answer === null) return state;
  if (!answer.ok) return answer.error.code;
  const failure = commandFailure(answer);
  return failure === undefined ? "ok" : (failure.split(":", 1)[0] ?? failure);
}

/** Returns how long an answered call ran. */
export function ranText(answer: CallRecord["answer"]): string {
  return durationText(answer === null ? undefined : ranMs(answer.meta));
}

export function durationText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "";
  if (milliseconds < 1000)
    return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}ms`;
  return milliseconds < 100_000
    ? `${(milliseconds / 1000).toFixed(1)}s`
    : `${Math.round(milliseconds / 60_000)}min`;
}

/** Parameters that tell what a call is about, the most telling first. */
const TELLING = ["command", "path", "file_path", "url", "query", "pattern", "text", "task", "code", "name"];

/** Returns the input of a call in one line of at most `maxCharacters`: the telling parameter first, then the others by name. */
export function summarizeInput(input: Json, maxCharacters = 200): string {
  if (!isObject(input)) return shortened(visibleLine(typeof input === "string" ? input : ""), maxCharacters);
  const telling = TELLING.find((name) => typeof input[name] === "string");
  const first = telling === undefined ? [] : [textOf(input[telling])];
  const others = Object.entries(input)
    .filter(([name]) => name !== telling)
    .map(([name, value]) => `${name}=${textOf(value)}`);
  return shortened(visibleLine([...first, ...others].join(" ")), maxCharacters);
}

/** Long values are cut before they are cleaned: inputs can have megabytes. */
function textOf(value: Json | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.slice(0, 1000);
}

/** Returns who approved or denied a call, for how long, and after how much time. */
export function approvalText({
  askedAt,
  answeredAt,
  approved,
  by,
  scope,
  reason,
}: NonNullable<NonNullable<CallRecord["trace"]>["approval"]>): string {
  const how = approved ? `approved${scope === undefined ? "" : ` (${scope})`}` : "denied";
  const who = by === undefined ? "" : ` by ${by}`;
  return `${how}${who} after ${durationText(answeredAt - askedAt)}${reason === undefined ? "" : `: ${reason}`}`;
}
