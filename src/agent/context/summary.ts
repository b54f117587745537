import { counted, plainWords } from "../../util/text/words.ts";
import type { Decision, Goal, GoalBook } from "../../tools/memory/goals/goals.ts";
import { shortened } from "../../util/text/shortened.ts";
import { estimateText } from "../../engine/registry/estimate-text.ts";

const OPENING =
  "[Summary of the conversation so far. The messages themselves are stored in the session but no longer shown.]";
/** Stored sessions of earlier versions have the second one. */
const OPENINGS = [
  OPENING,
  "[This tells the conversation up to here. The messages themselves are kept in the session but no longer shown.]",
];
const GOALS = "## Goals";
const DECISIONS = "## Decisions";
const STORY = "## What happened";
const MAX_DECISION_CHARACTERS = 600;
/** For the headings and the line about decisions left out. */
const FRAME_TOKENS = 60;

/** The contents of a summary. */
export interface Summary {
  /** Decisions that were not recorded with a tool, the oldest first. */
  readonly decisions: readonly string[];
  readonly story: string;
}

/** Renders a summary: goals and recorded decisions in full, then as many other decisions, newest first, and as much story as fit. */
export function renderSummary({ decisions, story }: Summary, book: GoalBook, maxTokens: number): string {
  const goals = book.goals.map(goalItem);
  const recorded = book.decisions.map(decisionItem);
  const taken = bookTokens(book);
  const others = newestThatFit(decisions.map(item), maxTokens - taken);
  const left = decisions.length - others.length;
  const notice = left === 0 ? [] : [`[${left} older decisions are only in the stored session]`];
  const room = maxTokens - taken - estimateText(others.join("\n"));
  return [
    OPENING,
    section(GOALS, goals),
    section(DECISIONS, [...recorded, ...notice, ...others]),
    section(STORY, fitLines(demoted(story), room)),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Estimates the size of a summary with only goals and recorded decisions. */
export function bookTokens({ goals, decisions }: GoalBook): number {
  return (
    FRAME_TOKENS + estimateText([OPENING, ...goals.map(goalItem), ...decisions.map(decisionItem)].join("\n"))
  );
}

/** Parses a rendered summary. Any other text is all story. */
export function readSummary(text: string): Summary {
  const sections = text.split(/\n\n(?=## )/);
  const body = (heading: string): readonly string[] =>
    (sections.find((one) => one.startsWith(`${heading}\n`)) ?? "").split("\n").slice(1);
  if (!OPENINGS.some((opening) => text.startsWith(opening))) return { decisions: [], story: text };
  return { decisions: itemsOf(body(DECISIONS)), story: body(STORY).join("\n") };
}

/** Merges decisions without duplicates and without those that a recorded decision repeats or replaces. */
export function mergeDecisions(
  older: readonly string[],
  newer: readonly string[],
  { decisions }: GoalBook,
): readonly string[] {
  const recorded = new Set(decisions.map(({ description }) => plainWords(description)));
  const merged: string[] = [];
  for (const text of [...older, ...newer.map((one) => shortened(one, MAX_DECISION_CHARACTERS))]) {
    const words = ` ${plainWords(text)} `;
    if (subjectsOf(text).some((subject) => recorded.has(subject))) continue;
    if (merged.some((other) => ` ${plainWords(other)} `.includes(words))) continue;
    merged.push(text);
  }
  return merged;
}

/** Returns the possible subjects of a decision: the words before a colon, as recorded ones are written. */
function subjectsOf(text: string): readonly string[] {
  return [...text.matchAll(/: /g)].map(({ index }) => plainWords(text.slice(0, index)));
}

/** Returns the items of a list; indented lines belong to the item above them. */
export function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (/^[-*•] /.test(line)) items.push(line.slice(2).trim());
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop()}\n${line.trim()}`);
  }
  return items.filter((text) => text !== "");
}

function section(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${heading}\n${lines.join("\n")}`;
}

function goalItem({ id, description, priority, status, subtasks, summary }: Goal): string {
  const lines = [
    `${description} (${id}, ${status}, ${priority})`,
    ...subtasks,
    ...(summary === undefined ? [] : [`result: ${summary}`]),
  ];
  return item(lines.join("\n"));
}

function decisionItem({ description, rationale, locked }: Decision): string {
  return item(`${description}: ${rationale}${locked ? " (locked)" : ""}`);
}

/** Indents further lines, so that none of them can look like an item or a heading. */
function item(text: string): string {
  return `- ${text.trim().replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, "\n  ")}`;
}

function newestThatFit(items: readonly string[], maxTokens: number): readonly string[] {
  let room = maxTokens;
  const first = items.findLastIndex((text) => (room -= estimateText(text) + 1) < 0);
  return items.slice(first + 1);
}

/** Removes empty lines and lowers headings, so that no line of a story can look like a section. */
function demoted(story: string): readonly string[] {
  const lines = story.split("\n").map((line) => line.trimEnd().replace(/^#{1,2} /, "### "));
  return lines.filter((line) => line !== "");
}

/** The share of the room for the first lines. */
const HEAD_SHARE = 0.3;
const NOTICE_TOKENS = 12;

/** Returns lines within a number of tokens: if there are too many, the first and the last with a count of the others. */
function fitLines(lines: readonly string[], maxTokens: number): readonly string[] {
  if (estimateText(lines.join("\n")) <= maxTokens) return lines;
  const room = maxTokens - NOTICE_TOKENS;
  if (room <= 0) return [];
  const head = takeWhile(lines, room * HEAD_SHARE);
  const used = estimateText(head.join("\n"));
  const tail = takeWhile(lines.slice(head.length).toReversed(), room - used).toReversed();
  const between = lines.length - head.length - tail.length;
  const fittingLines = [...head, `[${counted(between, "line")} left out]`, ...tail];
  // A single line may be longer than the whole room.
  if (head.length + tail.length > 0) return fittingLines;
  return [shortened(lines.at(-1) ?? "", room)];
}

function takeWhile(lines: readonly string[], maxTokens: number): readonly string[] {
  let room = maxTokens;
  const end = lines.findIndex((line) => (room -= estimateText(line) + 1) < 0);
  return end < 0 ? lines : lines.slice(0, end);
}
