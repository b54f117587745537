import type { ReplState } from "../state/repl-state.ts";
import { plainLine } from "../text/plain.ts";
import { cut, type Sheet } from "./rows.ts";

const MAX_ROWS = 8;
const MARKS = {
  pending: ["[ ]", "reset"],
  completed: ["[x]", "dim"],
  in_progress: ["[>]", "yellow"],
  cancelled: ["[-]", "dim"],
} as const;

/** Returns one row for each todo, or a summary; empty if all are done. */
export function todoRows(
  todos: ReplState["todos"],
  isOpen: boolean,
  { width, paint }: Sheet,
): readonly string[] {
  const isOver = ({ status }: (typeof todos)[number]): boolean =>
    status === "completed" || status === "cancelled";
  const done = todos.filter(isOver).length;
  if (done === todos.length) return [];
  const current = todos.find(({ status }) => status === "in_progress") ?? todos.find((todo) => !isOver(todo));
  const head = `${paint("bold", `${done} of ${todos.length} done`)}${paint("dim", "  Ctrl-T ")}`;
  if (!isOpen) return [cut(head + paint("dim", `shows them: ${plainLine(current?.content ?? "")}`), width)];
  const first = Math.max(0, Math.min(todos.findIndex((todo) => !isOver(todo)) - 1, todos.length - MAX_ROWS));
  const rows = todos.slice(first, first + MAX_ROWS).map(({ content, status }) => {
    const [mark, style] = MARKS[status];
    return paint(style, `  ${mark} ${plainLine(content)}`);
  });
  const hidden = todos.length - rows.length;
  const more = hidden > 0 ? [paint("dim", `  … ${hidden} more, /todos shows all`)] : [];
  return [head + paint("dim", "hides them"), ...rows, ...more].map((row) => cut(row, width));
}
