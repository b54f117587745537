import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { Skill } from "../../core/skills.ts";
import type { Decision, Goal, GoalBook } from "../../tools/memory/goals/goals.ts";

export interface Instructions {
  /** The agent's own instructions. */
  readonly instructions: string;
  /** Parts that were set later, in order. */
  readonly parts: readonly InstructionPart[];
  readonly book: GoalBook;
  readonly skills: readonly Skill[];
  /** Notes for the current task only, such as a budget that is nearly spent. */
  readonly notes?: readonly string[];
}

/** Builds the system prompt. It never contains text of an untrusted project. */
export function instructionsOf({ instructions, parts, book, skills, notes = [] }: Instructions): string {
  const open = book.goals.filter(({ status }) => status !== "completed");
  const trusted = skills.filter(({ isTrusted }) => isTrusted);
  return [
    instructions.trim(),
    ...parts.map(({ name, text }) => section(name, [text.trim()])),
    section("Goals", open.flatMap(describeGoal)),
    section("Decisions that hold", book.decisions.map(describeDecision)),
    section("Skills; read one with load_skill if it fits the task", trusted.map(describeSkill)),
    section("Now", notes.map(item)),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function section(heading: string, lines: readonly string[]): string {
  const text = lines.filter((line) => line !== "").join("\n");
  return text === "" ? "" : `## ${heading.replaceAll(/\s+/g, " ").trim()}\n${text}`;
}

function describeGoal({ id, description, priority, status, subtasks }: Goal): readonly string[] {
  const what = item(`${description} (${id}, ${status}, ${priority})`);
  return [what, ...subtasks.map((subtask) => `  ${item(subtask).replaceAll("\n", "\n  ")}`)];
}

function describeDecision({ description, rationale, locked }: Decision): string {
  return item(`${description}: ${rationale}${locked ? " (locked)" : ""}`);
}

function describeSkill({ name, description }: Skill): string {
  return item(`${name}: ${description}`);
}

/** Indents further lines, so that none of them can look like an item or a heading. */
function item(text: string): string {
  return `- ${text.trim().replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "\n  ")}`;
}
