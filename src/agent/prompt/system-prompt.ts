import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Skill } from "../../core/skills.ts";
import type { Goal, GoalBook } from "../../tools/memory/goals/goals.ts";
import type { LiveSession } from "../sessions/live-session.ts";
import type { AgentOptions } from "../runtime/running-agent.ts";
import { defined } from "../../util/json/defined.ts";

interface PromptSources {
  readonly options: Pick<AgentOptions, "instructions" | "skills" | "outputSchema">;
  readonly session: Pick<LiveSession, "parts" | "epoch">;
  readonly readGoals: () => Promise<GoalBook>;
}

/**
 * Creates the system prompt of an agent. It stays the same, byte for byte, until messages are dropped or its parts are replaced, so
 * that providers can cache it. What changes in between is in the messages: results of the tools that change it, and notes.
 */
export function createSystemPrompt({
  options,
  session,
  readGoals,
}: PromptSources): () => Promise<readonly InstructionPart[]> {
  let last: { readonly epoch: number; readonly parts: readonly InstructionPart[] } | undefined;
  return async () => {
    const epoch = session.epoch();
    if (last?.epoch === epoch) return last.parts;
    const [book, skills] = await Promise.all([readGoals(), options.skills?.list()]);
    const { instructions, outputSchema } = options;
    const parts = promptParts({
      instructions,
      parts: session.parts(),
      book,
      skills: skills?.skills ?? [],
      ...defined({ outputSchema }),
    });
    last = { epoch, parts };
    return parts;
  };
}

interface PromptContents {
  /** The agent's own instructions. */
  readonly instructions: AgentOptions["instructions"];
  /** Parts that were set later, in order. */
  readonly parts: readonly InstructionPart[];
  readonly book: GoalBook;
  readonly skills: readonly Skill[];
  readonly outputSchema?: JsonObject;
}

/** Returns the parts of a system prompt, each with its heading. They never contain text of an untrusted project. */
export function promptParts({
  instructions,
  parts,
  book,
  skills,
  outputSchema,
}: PromptContents): readonly InstructionPart[] {
  const own =
    typeof instructions === "string" ? [{ name: "instructions", text: instructions }] : instructions;
  const open = book.goals.filter(({ status }) => status !== "completed");
  const trusted = skills.filter(({ isTrusted }) => isTrusted);
  const decisions = book.decisions.map(({ description, rationale, locked }) =>
    item(`${description}: ${rationale}${locked ? " (locked)" : ""}`),
  );
  return [
    ...own.map(({ name, text }) => ({ name, text: text.trim() })),
    ...parts.map(({ name, text }) => ({ name, text: section(name, [text.trim()]) })),
    { name: "goals", text: section("Goals", open.flatMap(describeGoal)) },
    { name: "decisions", text: section("Decisions that hold", decisions) },
    {
      name: "skills",
      text: section(
        "Skills; read one with load_skill if it fits the task",
        trusted.map(({ name, description }) => item(`${name}: ${description}`)),
      ),
    },
    { name: "answer", text: section("Your answer", describeSchema(outputSchema)) },
  ].filter(({ text }) => text !== "");
}

/** Returns the system prompt as text. */
export function promptText(parts: readonly InstructionPart[]): string {
  return parts.map(({ text }) => text).join("\n\n");
}

function describeSchema(schema: JsonObject | undefined): readonly string[] {
  if (schema === undefined) return [];
  return [
    "Your last answer must be one JSON value and nothing else, without a fence around it. It must match this " +
      `JSON Schema: ${JSON.stringify(schema)}`,
  ];
}

function section(heading: string, lines: readonly string[]): string {
  const text = lines.filter((line) => line !== "").join("\n");
  return text === "" ? "" : `## ${heading.replaceAll(/\s+/g, " ").trim()}\n${text}`;
}

function describeGoal({ id, description, priority, status, subtasks }: Goal): readonly string[] {
  const what = item(`${description} (${id}, ${status}, ${priority})`);
  return [what, ...subtasks.map((subtask) => `  ${item(subtask).replaceAll("\n", "\n  ")}`)];
}

/** Indents further lines, so that none of them can look like an item or a heading. */
function item(text: string): string {
  return `- ${text.trim().replaceAll(/\r\n|[\n\r\u2028\u2029]/g, "\n  ")}`;
}
