import { ToolError } from "../../../core/errors.ts";
import type { Problem } from "../../../core/result.ts";
import {
  integer,
  list,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type Schema,
} from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { builtIn, OWN_STATE, missingProblem, namedAs, valueProblem } from "../../shared/built-in-tool.ts";
import type { MemoryOptions } from "../shared/options.ts";
import {
  answerTodos,
  MAX_TODO_CHARACTERS,
  MAX_TODOS,
  TODO_PRIORITIES,
  TODO_STATUSES,
  TODOS_DATA,
  type Todo,
  type TodoList,
} from "./todos.ts";

const item = object({
  content: string("The task", { min: 1, max: MAX_TODO_CHARACTERS }),
  status: optional(oneOf(TODO_STATUSES, "The state of the task"), "pending"),
  priority: optional(oneOf(TODO_PRIORITIES, "The importance"), "medium"),
});

const listInput = object({ todos: list(item, "The whole list, in order", { max: MAX_TODOS }) });

export const TODO_WRITE = namedAs("todo_write", listInput, TODOS_DATA);

type ListInput = Infer<typeof listInput>;

/** Replaces the session's to-do list. */
export function todoWrite(options: MemoryOptions): Tool {
  return builtIn({
    ...TODO_WRITE,
    description:
      "Replaces the to-do list of this session with a new list. At most one task is in_progress; " +
      `up to ${MAX_TODOS} tasks, ${MAX_TODO_CHARACTERS} characters each.`,
    ...OWN_STATE,
    check: listProblems,
    attributes: ({ todos }) => ({ todos: todos.length }),
    run: ({ todos }, context) => answerTodos(context, options, (before) => replaced(before, todos)),
  });
}

function listProblems({ todos }: ListInput): readonly Problem[] {
  const running = todos.flatMap(({ status }, index) => (status === "in_progress" ? [index] : []));
  const expected = `another status: todo ${running[0]} is already in_progress, and only one can be`;
  return running.slice(1).flatMap((index) => valueProblem(`/todos/${index}/status`, expected, "in_progress"));
}

/** Keeps the number of a task that was on the list; a number is never reused. */
function replaced({ nextId, todos: before }: TodoList, todos: ListInput["todos"]): TodoList {
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
    run: (_, context) => answerTodos(context, options),
  });
}

const taskInput = object({
  action: oneOf(["add", "complete", "remove", "list"], "What to do"),
  task: optional(
    string("For add: the task; for complete and remove without id: its exact text", {
      min: 1,
      max: MAX_TODO_CHARACTERS,
    }),
  ),
  id: optional(integer("For complete and remove: the number in the list", { min: 1 })),
});

export const WRITE_TODOS = namedAs("write_todos", taskInput, TODOS_DATA);

type TaskInput = Infer<typeof taskInput>;

/** Changes single tasks of the session's to-do list. */
export function writeTodos(options: MemoryOptions): Tool {
  return builtIn({
    ...WRITE_TODOS,
    description:
      "Changes single tasks of this session's to-do list, which todo_write replaces as a whole, and returns the list. " +
      `Up to ${MAX_TODOS} tasks, ${MAX_TODO_CHARACTERS} characters each.`,
    ...OWN_STATE,
    check: taskProblems,
    attributes: ({ action }) => ({ action }),
    run: (given, context) =>
      answerTodos(context, options, given.action === "list" ? undefined : (before) => change(before, given)),
  });
}

function taskProblems({ action, task, id }: TaskInput): readonly Problem[] {
  if (action === "add") return missingProblem("task", task, "add");
  return action === "list" ? [] : missingProblem("id", id ?? task, action);
}

function change(list: TodoList, given: TaskInput): TodoList {
  const { nextId, todos } = list;
  if (given.action === "add") {
    if (todos.length >= MAX_TODOS)
      throw new ToolError("TOOL_FAILED", `the list already has ${MAX_TODOS} tasks`, {
        hint: "remove completed tasks, or replace the list with todo_write",
      });
    const added: Todo = { id: nextId, content: given.task ?? "", status: "pending", priority: "medium" };
    return { nextId: nextId + 1, todos: [...todos, added] };
  }
  const namedTodo = find(todos, given);
  if (given.action === "remove") return { nextId, todos: todos.filter((todo) => todo !== namedTodo) };
  return {
    nextId,
    todos: todos.map((todo) => (todo === namedTodo ? { ...todo, status: "completed" } : todo)),
  };
}

function find(todos: readonly Todo[], { id, task }: TaskInput): Todo {
  const match = todos.find((todo) => (id === undefined ? todo.content === task : todo.id === id));
  if (match !== undefined) return match;
  const ids = todos.map((todo) => todo.id).join(", ");
  const what = id === undefined ? JSON.stringify(task) : `number ${id}`;
  throw new ToolError("TOOL_FAILED", `${what} is not on the list`, {
    hint: ids === "" ? "the list is empty" : `its numbers are ${ids}; action list shows them`,
  });
}
