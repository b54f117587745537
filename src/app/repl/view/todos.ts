import type { ShownTodo } from "../state/session.ts";
import { cutLine, line, span, type Line, type Style } from "../text/line.ts";
import { plainLine } from "../text/plain.ts";

const MAX_ROWS = 8;
const MARKS: Readonly<Record<string, readonly [string, Style]>> = {
  completed: ["[x]", { dim: true }],
  in_progress: ["[>]", { colour: "yellow" }],
  cancelled: ["[-]", { dim: true }],
};

/** Returns one row for each todo, or a summary; empty if all are done. */
export function todoLines(todos: readonly ShownTodo[], isOpen: boolean, width: number): readonly Line[] {
  const isOver = ({ status }: ShownTodo): boolean => status === "completed" || status === "cancelled";
  const done = todos.filter(isOver).length;
  if (done === todos.length) return [];
  const current = todos.find(({ status }) => status === "in_progress") ?? todos.find((todo) => !isOver(todo));
  const head = [span(`${done} of ${todos.length} done`, { bold: true }), span("  Ctrl-T ", { dim: true })];
  if (!isOpen) {
    return [cutLine([...head, span(`shows them: ${plainLine(current?.text ?? "")}`, { dim: true })], width)];
  }
  const first = Math.max(0, Math.min(todos.findIndex((todo) => !isOver(todo)) - 1, todos.length - MAX_ROWS));
  const rows = todos.slice(first, first + MAX_ROWS).map(({ text, status }) => {
    const [mark, style] = MARKS[status] ?? ["[ ]", {}];
    return cutLine([span(`  ${mark} `, style), span(plainLine(text), style)], width);
  });
  const hidden = todos.length - rows.length;
  const more = hidden > 0 ? [line(`  … ${hidden} more, /todos shows all`, { dim: true })] : [];
  return [
    cutLine([...head, span("hides them", { dim: true })], width),
    ...rows,
    ...more.map((one) => cutLine(one, width)),
  ];
}
