import { builtIn, OWN_STATE, valueProblem, namedAs } from "../../shared/built-in-tool.ts";
import type { Problem } from "../../../core/result.ts";
import {
  list,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type Schema,
} from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import type { MemoryOptions } from "../shared/options.ts";
import {
  describeTodos,
  MAX_TODO_CHARACTERS,
  MAX_TODOS,
  sessionTodos,
  TODOS_DATA,
  TODO_PRIORITIES,
  TODO_STATUSES,
  type TodoList,
} from "./todos.ts";

const item = object({
  content: string("The task", { min: 1, max: MAX_TODO_CHARACTERS }),
  status: optional(oneOf(TODO_STATUSES, "The state of the task"), "pending"),
  priority: optional(oneOf(TODO_PRIORITIES, "The importance"), "medium"),
});

const input = object({ todos: list(item, "The whole list, in order", { max: MAX_TODOS }) });

export const TODO_WRITE = namedAs("todo_write", input, TODOS_DATA);

type TodoInput = Infer<typeof input>;

/** Replaces the session's to-do list. */
export function todoWrite(options: MemoryOptions): Tool {
  return builtIn({
    ...TODO_WRITE,
    description:
      "Replaces the to-do list of this session with a new list. At most one task is in_progress; " +
      `up to ${MAX_TODOS} tasks, ${MAX_TODO_CHARACTERS} characters each.`,
    ...OWN_STATE,
    check: problemsOf,
    attributes: ({ todos }) => ({ todos: todos.length }),
    run: async ({ todos }, context) =>
      describeTodos(await sessionTodos(context, options).change((before) => replaced(before, todos))),
  });
}

function problemsOf({ todos }: TodoInput): readonly Problem[] {
  const running = todos.flatMap(({ status }, index) => (status === "in_progress" ? [index] : []));
  const expected = `another status: todo ${running[0]} is already in_progress, and only one can be`;
  return running.slice(1).flatMap((index) => valueProblem(`/todos/${index}/status`, expected, "in_progress"));
}

/** Keeps the number of a task that was on the list; a number is never reused. */
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

const noInput: Schema<Readonly<Record<string, never>>> = object({});

export const TODO_READ = namedAs("todo_read", noInput, TODOS_DATA);

/** Shows the session's to-do list. */
export function todoRead(options: MemoryOptions): Tool {
  return builtIn({
    ...TODO_READ,
    description:
      "Shows the to-do list of this session: [ ] is pending, [>] in progress, [x] completed, [-] cancelled.",
    ...OWN_STATE,
    run: async (_, context) => describeTodos(await sessionTodos(context, options).read()),
  });
}
