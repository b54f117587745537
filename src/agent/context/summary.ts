import type { Decision, Goal, GoalBook } from "../../tools/memory/goals/goals.ts";
import { shortened } from "../../util/text/shortened.ts";
import { estimateText } from "./estimate-text.ts";
import { fitLines } from "./fit-lines.ts";

const OPENING =
  "[This tells the conversation up to here. The messages themselves are kept in the session but no longer shown.]";
const GOALS = "## Goals";
const DECISIONS = "## Decisions";
const STORY = "## What happened";
const MAX_DECISION_CHARACTERS = 600;
/** For the headings, and the line that says what is left out. */
const FRAME_TOKENS = 60;

/** What messages come to. */
export interface Retelling {
  /** What was decided in words only, the oldest first. */
  readonly decisions: readonly string[];
  readonly story: string;
}

/**
 * The text of a summary. What the book has is in it word for word; then decisions, the newest surely, and then the story get what
 * room there is.
 */
export function renderSummary({ decisions, story }: Retelling, book: GoalBook, maxTokens: number): string {
  const goals = book.goals.map(goalItem);
  const recorded = book.decisions.map(decisionItem);
  const taken = bookTokens(book);
  const said = newestThatFit(decisions.map(item), maxTokens - taken);
  const left = decisions.length - said.length;
  const notice = left === 0 ? [] : [`[${left} older decisions are only in the session's record]`];
  const room = maxTokens - taken - estimateText(said.join("\n"));
  return [
    OPENING,
    section(GOALS, goals),
    section(DECISIONS, [...recorded, ...notice, ...said]),
    section(STORY, fitLines(demoted(story), room)),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

/** What a summary takes that tells of nothing but the book. */
export function bookTokens({ goals, decisions }: GoalBook): number {
  return (
    FRAME_TOKENS + estimateText([OPENING, ...goals.map(goalItem), ...decisions.map(decisionItem)].join("\n"))
  );
}

/** What a summary of ours says. A text that is none is all story. */
export function readSummary(text: string): Retelling {
  const sections = text.split(/\n\n(?=## )/);
  const body = (heading: string): readonly string[] =>
    (sections.find((one) => one.startsWith(`${heading}\n`)) ?? "").split("\n").slice(1);
  if (!text.startsWith(OPENING)) return { decisions: [], story: text };
  return { decisions: itemsOf(body(DECISIONS)), story: body(STORY).join("\n") };
}

/** The decisions of both, none twice, without those that the book has or has put others in place of. */
export function mergeDecisions(
  older: readonly string[],
  newer: readonly string[],
  { decisions }: GoalBook,
): readonly string[] {
  const recorded = new Set(decisions.map(({ description }) => wordsOf(description)));
  const merged: string[] = [];
  for (const text of [...older, ...newer.map((one) => shortened(one, MAX_DECISION_CHARACTERS))]) {
    const words = ` ${wordsOf(text)} `;
    if (subjectsOf(text).some((subject) => recorded.has(subject))) continue;
    if (merged.some((other) => ` ${wordsOf(other)} `.includes(words))) continue;
    merged.push(text);
  }
  return merged;
}

/** What a decision may be on: the words before a colon, as recorded ones are written. */
function subjectsOf(text: string): readonly string[] {
  return [...text.matchAll(/: /g)].map(({ index }) => wordsOf(text.slice(0, index)));
}

/** The items of a list; lines that are indented belong to the item above them. */
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
    ...(summary === undefined ? [] : [`came to: ${summary}`]),
  ];
  return item(lines.join("\n"));
}

function decisionItem({ description, rationale, locked }: Decision): string {
  return item(`${description}: ${rationale}${locked ? " (locked)" : ""}`);
}

/** Further lines are indented, so that none of them can pass for an item or a heading. */
function item(text: string): string {
  return `- ${text.trim().replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, "\n  ")}`;
}

function newestThatFit(items: readonly string[], maxTokens: number): readonly string[] {
  let room = maxTokens;
  const first = items.findLastIndex((text) => (room -= estimateText(text) + 1) < 0);
  return items.slice(first + 1);
}

/** No line of a story is a heading of ours, or an empty one before which a section would end. */
function demoted(story: string): readonly string[] {
  const lines = story.split("\n").map((line) => line.trimEnd().replace(/^#{1,2} /, "### "));
  return lines.filter((line) => line !== "");
}

function wordsOf(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(" ") ?? text.trim();
}
