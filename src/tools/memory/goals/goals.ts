import { randomUUID } from "node:crypto";
import { string, list } from "../../../schema/define/schema.ts";
import type { Collection, Collections } from "../../../core/store/collection.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { scopedCollection, sessionCollection } from "../../shared/collections.ts";
import { createDocumentReader, LIST, withFields } from "../../../schema/document-reader.ts";
import type { MemoryOptions } from "../shared/options.ts";

export const MAX_GOALS = 100;
const MAX_TEXT_CHARACTERS = 2000;
const MAX_LINE_CHARACTERS = 500;
export const PRIORITIES = ["low", "medium", "high"] as const;
/** One document for each session. */
const KEPT = { name: "goals", limit: 1000 } as const;
const KEY = "all";

/** Returns the schema of a text of up to 2000 characters. */
export const longText = (description: string) => string(description, { min: 1, max: MAX_TEXT_CHARACTERS });

/** Returns the schema of a list of short texts. */
export const shortTexts = (item: string, description: string, max: number) =>
  list(string(item, { min: 1, max: MAX_LINE_CHARACTERS }), description, { max });

// Types, not interfaces, so that they are assignable to JSON.

export type Goal = {
  readonly id: string;
  readonly description: string;
  readonly priority: (typeof PRIORITIES)[number];
  /** At most one is active. */
  readonly status: "active" | "paused" | "completed";
  readonly subtasks: readonly string[];
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly completedAt?: number;
  readonly summary?: string;
  readonly artifacts?: readonly string[];
};

export type Decision = {
  readonly id: string;
  readonly description: string;
  readonly rationale: string;
  readonly alternatives: readonly string[];
  /** It cannot be replaced by a decision with the same description. */
  readonly locked: boolean;
  /** The goal that was active. */
  readonly goalId: string | null;
  readonly at: number;
};

/** The goals and decisions of a session. */
export type GoalBook = {
  readonly goals: readonly Goal[];
  readonly decisions: readonly Decision[];
};

/** Returns the goals and decisions of a session, for the agent's prompt. */
export async function currentGoals(collections: Collections, session: string): Promise<GoalBook> {
  return fromJson(await scopedCollection(collections.open(KEPT.name, KEPT), session).get(KEY));
}

/** Opens the goals of the call's session. */
export function goalsOf(context: ToolContext, options: Pick<MemoryOptions, "collections">) {
  const collection: Collection = sessionCollection(context, options, KEPT);
  return {
    read: async (): Promise<GoalBook> => fromJson(await collection.get(KEY)),
    /** Changes them atomically; a change that throws changes nothing. */
    change: async (work: (book: GoalBook) => GoalBook): Promise<GoalBook> =>
      fromJson(await collection.update(KEY, (book) => work(fromJson(book)))),
  };
}

/** Returns the active goal; undefined if there is none. */
export function activeGoal({ goals }: GoalBook): Goal | undefined {
  return goals.find(({ status }) => status === "active");
}

/** Ids are short, because a model has to repeat them. */
export function shortId(kind: string): string {
  return `${kind}-${randomUUID().slice(0, 8)}`;
}

export type NewGoal = Pick<Goal, "id" | "description"> & Partial<Pick<Goal, "priority" | "subtasks">>;

/** Adds a goal. At the limit the oldest completed goals are dropped, never open ones. */
export function withGoal(book: GoalBook, given: NewGoal, status: "active" | "paused"): GoalBook {
  const { id, description, priority = "medium", subtasks = [] } = given;
  const goal: Goal = { id, description, priority, status, subtasks, createdAt: Date.now() };
  const others = status === "active" ? paused(book.goals) : book.goals;
  if (others.length < MAX_GOALS) return { ...book, goals: [...others, goal] };
  const oldest = others.find((one) => one.status === "completed");
  if (oldest === undefined)
    throw new ToolError("TOOL_FAILED", `there are already ${MAX_GOALS} open goals`, {
      hint: "complete some of them first, with switch_goal resume and complete_goal",
    });
  return { ...book, goals: [...others.filter((one) => one !== oldest), goal] };
}

/** Pauses the active goal. */
export function paused(goals: readonly Goal[]): readonly Goal[] {
  return goals.map((goal) => (goal.status === "active" ? { ...goal, status: "paused" } : goal));
}

/** Returns one line for each goal. */
export function describeGoals(goals: readonly Goal[]): readonly string[] {
  return goals.map(
    ({ id, description, priority, status }) => `${id} [${status}, ${priority}]: ${description}`,
  );
}

const readBook = createDocumentReader<GoalBook>(withFields({ goals: LIST, decisions: LIST }));

function fromJson(value: Json | undefined): GoalBook {
  return readBook(value) ?? { goals: [], decisions: [] };
}
