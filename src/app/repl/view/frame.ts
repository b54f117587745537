import { sliceByColumn, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { folded, type Block, type ReplState } from "../state/repl-state.ts";
import { plainLine } from "../text/plain.ts";
import { approvalRows } from "./approval.ts";
import { spinnerAt } from "../../terminal/print/progress-line.ts";
import { callRows } from "./calls.ts";
import { markdownRows } from "./markdown.ts";
import { cut, lastRows, type Sheet } from "./rows.ts";
import { blockRows } from "./transcript.ts";
import { statusRow } from "./status.ts";

const MIN_ROWS = 6;

export interface FrameView extends Sheet {
  readonly rows: number;
  /** As `performance.now()` returns it. */
  readonly now: number;
  /** The rows of the prompt. */
  readonly prompt: readonly string[];
}

/** Draws the live part of one screen: never as high as the screen, or the terminal would scroll at each change. */
export function createFrame(): (state: ReplState, view: FrameView) => readonly string[] {
  const drawText = createTextDrawing();
  return (state, view) => {
    const room = Math.max(MIN_ROWS, view.rows - 1);
    const upper = upperRows(state, { ...view, drawText }, room - view.prompt.length - 1);
    return [...upper, ...view.prompt, statusRow(state, view)].slice(-room);
  };
}

type DrawText = (text: string, sheet: Sheet) => readonly string[];
type UpperView = FrameView & { readonly drawText: DrawText };

/** Returns the rows above the prompt. Room goes to the question first, then to calls, todos and the end of the text. */
function upperRows(state: ReplState, view: UpperView, room: number): readonly string[] {
  const { width, paint } = view;
  const waiting = state.waiting.map((text) => cut(paint("dim", `queued: ${plainLine(text)}`), width));
  const { approvals, isArmed } = state;
  const [first] = approvals;
  const count = approvals.length;
  const question = first ? approvalRows(first, { ...view, count, isArmed, room: room - waiting.length }) : [];
  let left = room - question.length - waiting.length;
  // The question shows its own call.
  const askedId = first?.request.callId;
  const calls = state.calls
    .filter(({ id, phase }) => !(phase === "asking" && id === askedId))
    .flatMap((call) => callRows(call, { ...view, isExpanded: state.isExpanded }));
  const finished = folded(state.run).flatMap((block) => blockRows(block, view));
  const callRoom = Math.max(1, question.length > 0 ? Math.min(left, 4) : left - 3);
  const shownCalls = lastRows([...finished, ...calls], callRoom, paint);
  left -= shownCalls.length;
  const todos = todoRows(state.todos, state.areTodosOpen && left > 8, view).slice(0, Math.max(0, left));
  left -= todos.length;
  const text = lastRows(textRows(state, view), left, paint);
  const continues = finished.length > 0 && text.length === 0 && isAfterCall(state.blocks.at(-1));
  const gap = left - text.length > 0 && !continues ? [""] : [];
  const rows = [...gap, ...text, ...shownCalls, ...question, ...todos, ...waiting];
  return room > 0 ? rows.slice(-room) : [];
}

/** A run of calls has no blank row between itself and the calls before it. */
function isAfterCall(block: Block | undefined): boolean {
  return block?.kind === "call" || block?.kind === "calls";
}

function textRows({ text, thought }: ReplState, view: UpperView): readonly string[] {
  const { width, paint, now } = view;
  if (text.trim() !== "") return view.drawText(text, view);
  if (thought.trim() === "") return [];
  const thoughtLine = plainLine(thought);
  const room = Math.max(4, width - 12);
  const hidden = visibleWidth(thoughtLine) - room;
  const end = hidden > 0 ? `…${sliceByColumn(thoughtLine, hidden + 1, room - 1, true)}` : thoughtLine;
  return [cut(paint("dim", `${spinnerAt(now)} thinks: ${end}`), width)];
}

/** Keeps the text that was drawn last: most frames change something else. */
function createTextDrawing(): DrawText {
  let last: { readonly text: string; readonly width: number; readonly rows: readonly string[] } | undefined;
  return (text, { width, paint }) => {
    if (last?.text === text && last.width === width) return last.rows;
    last = { text, width, rows: markdownRows(text, { width, paint }) };
    return last.rows;
  };
}

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
