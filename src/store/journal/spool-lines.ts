import { isObject } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { CallRow } from "./call-row.ts";

/**
 * Returns the line of a whole row, under the number of its call. Input and answer are JSON text already. The line break comes first, so
 * that a truncated line does not corrupt the next.
 */
export function rowLine(number: number, row: CallRow): string {
  const { callId, name, session, receivedAt, startedAt, effects, state, input, answer } = row;
  const facts: Facts = [callId, name, session, receivedAt, startedAt, effects, state];
  return `\n[${number},${JSON.stringify(facts)},${input},${answer}]`;
}

/** Returns the line of an answer to a call whose row is in the same file. */
export function answerLine(number: number, answer: string): string {
  return `\n[${number},${answer}]`;
}

/** Returns the latest row of each call in a file, by the call's number. Skips a line that was cut off: its write never returned. */
export function readLines(text: string): ReadonlyMap<number, CallRow> {
  const rows = new Map<number, CallRow>();
  for (const line of text.split("\n").flatMap(parse)) {
    const [number] = line;
    const before = rows.get(number);
    if (line.length === 4) rows.set(number, toRow(line));
    else if (before !== undefined)
      rows.set(number, { ...before, state: "answered", answer: JSON.stringify(line[1]) });
  }
  return rows;
}

type Facts = readonly [
  callId: CallRow["callId"],
  name: CallRow["name"],
  session: CallRow["session"],
  receivedAt: CallRow["receivedAt"],
  startedAt: CallRow["startedAt"],
  effects: CallRow["effects"],
  state: CallRow["state"],
];

type RowLine = readonly [number: number, facts: Facts, input: unknown, answer: unknown];
type AnswerLine = readonly [number: number, answer: unknown];

function toRow([, facts, input, answer]: RowLine): CallRow {
  const [callId, name, session, receivedAt, startedAt, effects, state] = facts;
  return {
    callId,
    name,
    input: JSON.stringify(input),
    session,
    receivedAt,
    startedAt,
    effects,
    state,
    answer: answer === null ? null : JSON.stringify(answer),
  };
}

function parse(line: string): readonly (RowLine | AnswerLine)[] {
  const parsed: unknown = parseJson(line);
  return isLine(parsed) ? [parsed] : [];
}

/** Validates a line: a damaged one would make the database refuse the whole group. */
function isLine(parsed: unknown): parsed is RowLine | AnswerLine {
  if (!Array.isArray(parsed)) return false;
  const [number, second]: readonly unknown[] = parsed;
  if (typeof number !== "number") return false;
  if (parsed.length === 2) return isObject(second);
  return parsed.length === 4 && Array.isArray(second) && areFacts(second);
}

function areFacts([
  callId,
  name,
  session,
  receivedAt,
  startedAt,
  effects,
  state,
]: readonly unknown[]): boolean {
  const isText = [callId, name, state].every((text) => typeof text === "string");
  const isTextOrNone = [session, effects].every((text) => text === null || typeof text === "string");
  const isTime = typeof receivedAt === "number" && (startedAt === null || typeof startedAt === "number");
  return isText && isTextOrNone && isTime;
}
