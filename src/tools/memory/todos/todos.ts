import { integer, list, object, oneOf, string } from "../../../schema/define/schema.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import type { Json } from "../../../core/json.ts";
import { scopedCollection, sessionCollection } from "../../shared/collections.ts";
import { createDocumentReader, LIST, NUMBER, withFields } from "../../../schema/document-reader.ts";
import { PRIORITIES } from "../goals/goals.ts";
import type { MemoryOptions } from "../shared/options.ts";

export const MAX_TODOS = 100;
export const MAX_TODO_CHARACTERS = 500;
export const TODO_STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;
export const TODO_PRIORITIES = PRIORITIES;
/** One document for each session. */
const KEPT = { name: "todos", limit: 1000 } as const;
const KEY = "list";

// Types, not interfaces, so that they are assignable to JSON.

export type Todo = {
  /** Never changes and is never reused. */
  readonly id: number;
  readonly content: string;
  readonly status: (typeof TODO_STATUSES)[number];
  readonly priority: (typeof TODO_PRIORITIES)[number];
};

/** A to-do list. */
export type TodoList = {
  readonly nextId: number;
  readonly todos: readonly Todo[];
};

/** The data of the tools: the whole list. */
export const TODOS_DATA = object({
  todos: list(object({ id: integer(), content: string(), status: oneOf(TODO_STATUSES), priority: string() })),
});

/** Returns the to-do list of a session. */
export async function todosOf(collections: Collections, session: string): Promise<readonly Todo[]> {
  return fromJson(await scopedCollection(collections.open(KEPT.name, KEPT), session).get(KEY)).todos;
}

/** Answers with the to-do list of the call's session, after an atomic change if there is one; a change that throws changes nothing. */
export async function answerTodos(
  context: ToolContext,
  options: Pick<MemoryOptions, "collections">,
  change?: (list: TodoList) => TodoList,
): Promise<Reply> {
  const collection = sessionCollection(context, options, KEPT);
  if (change === undefined) return describe(fromJson(await collection.get(KEY)));
  return describe(fromJson(await collection.update(KEY, (list) => change(fromJson(list)))));
}

const MARKS = { pending: "[ ]", in_progress: "[>]", completed: "[x]", cancelled: "[-]" } as const;

function describe({ todos }: TodoList): Reply {
  const lines = todos.map(({ id, content, status, priority }) => {
    const rank = priority === "medium" ? "" : ` (${priority})`;
    return `${MARKS[status]} ${id}. ${content}${rank}`;
  });
  return new Reply(lines.length === 0 ? "[the list is empty]" : lines.join("\n"), { data: { todos } });
}

const readList = createDocumentReader<TodoList>(withFields({ todos: LIST, nextId: NUMBER }));

function fromJson(value: Json | undefined): TodoList {
  return readList(value) ?? { nextId: 1, todos: [] };
}
