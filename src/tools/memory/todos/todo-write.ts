import { defineTool } from "../../../schema/define/define-tool.ts";
import type { Problem } from "../../../core/result.ts";
import type { Infer } from "../../../schema/define/schema.ts";
import { list, object, oneOf, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import type { MemoryOptions } from "../shared/options.ts";
import type { TodoList } from "./todos.ts";
import {
  describeTodos,
  MAX_TODO_CHARACTERS,
  MAX_TODOS,
  sessionTodos,
  TODO_PRIORITIES,
  TODO_STATUSES,
} from "./todos.ts";

const item = object({
  content: string("What is to be done", { min: 1, max: MAX_TODO_CHARACTERS }),
  status: optional(oneOf(TODO_STATUSES, "How far it is"), "pending"),
  priority: optional(oneOf(TODO_PRIORITIES, "How much it matters"), "medium"),
});

const input = object({ todos: list(item, "The whole list, in order", { max: MAX_TODOS }) });

type TodoInput = Infer<typeof input>;

/** Replaces the session's list of things to do. */
export function todoWrite(options: MemoryOptions): Tool {
  return defineTool({
    name: "todo_write",
    description:
      "Writes this session's list of things to do: the whole list, in place of the one before. At most one is in_progress; " +
      `up to ${MAX_TODOS}, ${MAX_TODO_CHARACTERS} characters each.`,
    input,
    ...OWN_STATE,
    check: problemsOf,
    attributes: ({ todos }) => ({ todos: todos.length }),
    run: async ({ todos }, context) =>
      describeTodos(await sessionTodos(context, options).change((before) => replaced(before, todos))),
  });
}

function problemsOf({ todos }: TodoInput): readonly Problem[] {
  const running = todos.flatMap(({ status }, index) => (status === "in_progress" ? [index] : []));
  return running.slice(1).map((index) => ({
    kind: "value",
    path: `/todos/${index}/status`,
    expected: `another status: todo ${running[0]} is in_progress already, and only one may be`,
    got: "in_progress",
  }));
}

/** What was on the list before keeps its number; a number is never given to another thing. */
function replaced({ nextId, todos: before }: TodoList, todos: TodoInput["todos"]): TodoList {
  const free = new Map<string, number[]>();
  for (const { content, id } of before) free.set(content, [...(free.get(content) ?? []), id]);
  let next = nextId;
  const after = todos.map(({ content, status, priority }) => {
    const known = free.get(content)?.shift();
    if (known === undefined) next += 1;
    return { id: known ?? next - 1, content, status, priority };
  });
  return { nextId: next, todos: after };
}
