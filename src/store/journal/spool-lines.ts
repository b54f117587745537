import { isObject } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { outcomeOf, type CallRow } from "./call-row.ts";

/**
 * Returns the line of a whole row, under the number of its call. Input and answer are JSON text already. The line break comes first, so
 * that a truncated line does not corrupt the next.
 */
export function rowLine(number: number, row: CallRow): string {
  const { callId, name, session, receivedAt, startedAt, effects, state, input, answer } = row;
  const { folder, subject, machine, usage } = row;
  const first = [callId, name, session, receivedAt, startedAt, effects, state, folder] as const;
  const facts: Facts =
    subject === null && machine === null && usage === null ? first : [...first, subject, machine, usage];
  return `\n[${number},${JSON.stringify(facts)},${input},${answer}]`;
}

/** Returns the latest row of each call in a file, by the call's number. Skips a line that was cut off: its write never returned. */
export function readLines(text: string): ReadonlyMap<number, CallRow> {
  const rows = new Map<number, CallRow>();
  for (const line of text.split("\n").flatMap(parse)) {
    const [number] = line;
    const before = rows.get(number);
    if (line.length === 4) rows.set(number, toRow(line));
    else if (before !== undefined) rows.set(number, { ...before, state: "answered", ...toAnswer(line[1]) });
  }
  return rows;
}

/** The last line may be cut off: its write never returned. One that is JSON is not. */
export function damagedLines(text: string): readonly string[] {
  const lines = text.split("\n");
  const isCutOff = (index: number): boolean =>
    index === lines.length - 1 && parseJson(lines[index] ?? "") === undefined;
  return lines.filter((line, index) => line !== "" && parse(line).length === 0 && !isCutOff(index));
}

type Facts = readonly [
  callId: CallRow["callId"],
  name: CallRow["name"],
  session: CallRow["session"],
  receivedAt: CallRow["receivedAt"],
  startedAt: CallRow["startedAt"],
  effects: CallRow["effects"],
  state: CallRow["state"],
  /** Absent in the spools of earlier versions. */
  folder?: CallRow["folder"],
  subject?: CallRow["subject"],
  machine?: CallRow["machine"],
  usage?: CallRow["usage"],
];

type RowLine = readonly [number: number, facts: Facts, input: unknown, answer: unknown];
type AnswerLine = readonly [number: number, answer: unknown];

function toRow([, facts, input, answer]: RowLine): CallRow {
  const [callId, name, session, receivedAt, startedAt, effects, state, ...origin] = facts;
  const [folder = null, subject = null, machine = null, usage = null] = origin;
  const common = { callId, name, session, receivedAt, startedAt, effects, state };
  return { ...common, folder, subject, machine, usage, input: JSON.stringify(input), ...toAnswer(answer) };
}

function toAnswer(answer: unknown): Pick<CallRow, "answer" | "outcome"> {
  if (answer === null) return { answer, outcome: null };
  return { answer: JSON.stringify(answer), outcome: outcomeOf(answer as ToolResult) };
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
  return parsed.length === 4 && Array.isArray(second) && areFacts(second, parsed[3]);
}

function areFacts(facts: readonly unknown[], answer: unknown): boolean {
  const [callId, name, session, receivedAt, startedAt, effects, state, ...origin] = facts;
  const [folder = null, subject = null, machine = null, usage = null] = origin;
  const isText = [callId, name].every((text) => typeof text === "string");
  const isState = state === "open" ? answer === null : state === "answered" && isObject(answer);
  const isTextOrNone = [session, effects, folder, subject, machine].every(
    (text) => text === null || typeof text === "string",
  );
  const isTime = typeof receivedAt === "number" && (startedAt === null || typeof startedAt === "number");
  return isText && isState && isTextOrNone && isTime && (usage === null || isObject(usage));
}
