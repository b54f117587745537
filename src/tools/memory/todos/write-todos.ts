import { ToolError } from "../../../core/errors.ts";
import type { Problem } from "../../../core/result.ts";
import { integer, object, oneOf, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { builtIn, OWN_STATE, missingProblem, namedAs } from "../../shared/built-in-tool.ts";
import type { MemoryOptions } from "../shared/options.ts";
import {
  describeTodos,
  MAX_TODO_CHARACTERS,
  MAX_TODOS,
  sessionTodos,
  TODOS_DATA,
  type Todo,
  type TodoList,
} from "./todos.ts";

const input = object({
  action: oneOf(["add", "complete", "remove", "list"], "What to do"),
  task: optional(
    string("For add: the task; for complete and remove without id: its exact text", {
      min: 1,
      max: MAX_TODO_CHARACTERS,
    }),
  ),
  id: optional(integer("For complete and remove: the number in the list", { min: 1 })),
});

export const WRITE_TODOS = namedAs("write_todos", input, TODOS_DATA);

type TodosInput = Infer<typeof input>;

/** Changes single tasks of the session's to-do list. */
export function writeTodos(options: MemoryOptions): Tool {
  return builtIn({
    ...WRITE_TODOS,
    description:
      "Changes single tasks of this session's to-do list, which todo_write replaces as a whole, and returns the list. " +
      `Up to ${MAX_TODOS} tasks, ${MAX_TODO_CHARACTERS} characters each.`,
    ...OWN_STATE,
    check: problemsOf,
    attributes: ({ action }) => ({ action }),
    async run(given, context) {
      const todos = sessionTodos(context, options);
      if (given.action === "list") return describeTodos(await todos.read());
      return describeTodos(await todos.change((before) => change(before, given)));
    },
  });
}

function problemsOf({ action, task, id }: TodosInput): readonly Problem[] {
  if (action === "add") return missingProblem("task", task, "add");
  return action === "list" ? [] : missingProblem("id", id ?? task, action);
}

function change(list: TodoList, given: TodosInput): TodoList {
  const { nextId, todos } = list;
  if (given.action === "add") {
    if (todos.length >= MAX_TODOS)
      throw new ToolError("TOOL_FAILED", `the list already has ${MAX_TODOS} tasks`, {
        hint: "remove completed tasks, or replace the list with todo_write",
      });
    const added: Todo = { id: nextId, content: given.task ?? "", status: "pending", priority: "medium" };
    return { nextId: nextId + 1, todos: [...todos, added] };
  }
  const found = find(todos, given);
  if (given.action === "remove") return { nextId, todos: todos.filter((todo) => todo !== found) };
  return { nextId, todos: todos.map((todo) => (todo === found ? { ...todo, status: "completed" } : todo)) };
}

function find(todos: readonly Todo[], { id, task }: TodosInput): Todo {
  const found = todos.find((todo) => (id === undefined ? todo.content === task : todo.id === id));
  if (found !== undefined) return found;
  const ids = todos.map((todo) => todo.id).join(", ");
  const what = id === undefined ? JSON.stringify(task) : `number ${id}`;
  throw new ToolError("TOOL_FAILED", `${what} is not on the list`, {
    hint: ids === "" ? "the list is empty" : `its numbers are ${ids}; action list shows them`,
  });
}
