import { markdownLines } from "../markdown/markdown-lines.ts";
import { closeMarks } from "../markdown/stream.ts";
import { editorOf, type Editor } from "../edit/editor.ts";
import type { ReplState } from "../state/repl-state.ts";
import { cutLine, line, span, type Line } from "../text/line.ts";
import { plainLine } from "../text/plain.ts";
import { cutStartTo } from "../text/width.ts";
import { approvalLines } from "./approval.ts";
import { callLines, spinnerAt } from "./calls.ts";
import { menuLines, promptRows, type Cursor } from "./prompt.ts";
import { statusLine } from "./status.ts";
import { todoLines } from "./todos.ts";

const PROMPT_ROWS = 8;
const DETAIL_ROWS = 14;
const MIN_ROWS = 6;

export interface FrameView {
  readonly columns: number;
  readonly rows: number;
  /** As `performance.now()` returns it. */
  readonly now: number;
}

/** The live part of the screen. */
export interface Frame {
  readonly lines: readonly Line[];
  /** Undefined if nothing can be typed. */
  readonly cursor: Cursor | undefined;
}

/** Returns the live part: never higher or wider than the screen. */
export function frameOf(state: ReplState, { columns, rows, now }: FrameView): Frame {
  const width = Math.max(10, columns);
  // One row less than the screen: a frame of full height makes the terminal scroll at each change.
  const room = Math.max(MIN_ROWS, rows - 1);
  const prompt = promptOf(state, width, Math.min(PROMPT_ROWS, Math.max(1, Math.floor(room / 3))));
  const menu = state.menu === undefined ? [] : menuLines(state.menu, width);
  const status = statusLine(state, { width, now });
  const left = room - prompt.lines.length - menu.length - 1;
  const upper = upperLines(state, { width, room: left, now });
  return {
    lines: [...upper, ...prompt.lines, ...menu, status],
    cursor:
      state.agentState === "closing"
        ? undefined
        : { ...prompt.cursor, row: prompt.cursor.row + upper.length },
  };
}

interface UpperView {
  readonly width: number;
  readonly room: number;
  readonly now: number;
}

/** Returns the rows above the prompt. Room goes to the question first, then to calls, todos and the end of the text. */
function upperLines(state: ReplState, { width, room, now }: UpperView): readonly Line[] {
  const { isExpanded } = state;
  const waiting = state.waiting.map((text) =>
    cutLine([span("… ", { dim: true }), span(`waits: ${plainLine(text)}`, { dim: true })], width),
  );
  const approval = approvalOf(state, width, room - waiting.length);
  let left = room - approval.length - waiting.length;
  // The question shows its own call.
  const asked = state.approvals[0]?.request.callId;
  const calls = state.calls
    .filter(({ id, phase }) => !(phase === "asking" && id === asked))
    .flatMap((call) => callLines(call, { width, now, isExpanded }));
  const shownCalls = lastRows(calls, Math.max(1, approval.length > 0 ? Math.min(left, 4) : left - 3));
  left -= shownCalls.length;
  const todos = todoLines(state.todos, state.areTodosOpen && left > 8, width);
  const shownTodos = todos.slice(0, Math.max(0, left));
  left -= shownTodos.length;
  const text = lastRows(textLines(state, width, now), left);
  const above = [...text, ...shownCalls];
  const gap = left - text.length > 0 ? [[]] : [];
  return [...gap, ...above, ...approval, ...shownTodos, ...waiting].slice(
    room > 0 ? -room : Number.MAX_SAFE_INTEGER,
  );
}

function textLines({ text, thought }: ReplState, width: number, now: number): readonly Line[] {
  if (text.trim() !== "") return markdownLines(closeMarks(text), width);
  if (thought.trim() === "") return [];
  const shown = cutStartTo(plainLine(thought), Math.max(4, width - 12));
  return [
    cutLine(
      [span(`${spinnerAt(now)} thinks: `, { dim: true }), span(shown, { dim: true, italic: true })],
      width,
    ),
  ];
}

function approvalOf(state: ReplState, width: number, room: number): readonly Line[] {
  const { approvals, isArmed, isExpanded } = state;
  const [first] = approvals;
  if (first === undefined) return [];
  const draw = (detailRows: number): readonly Line[] =>
    approvalLines(first, { width, count: approvals.length, isArmed, detailRows });
  const wanted = draw(isExpanded ? Number.MAX_SAFE_INTEGER : DETAIL_ROWS);
  const spare = room - draw(1).length;
  return wanted.length <= room ? wanted : draw(Math.max(1, spare));
}

/** Returns the rows of the prompt: an answer if keys go to a question, else a message. */
function promptOf(state: ReplState, width: number, rows: number): ReturnType<typeof promptRows> {
  const { editor, mark, placeholder } = typedIn(state);
  return promptRows(editor, { width, rows, mark, placeholder });
}

function typedIn(state: ReplState): {
  readonly editor: Editor;
  readonly mark: string;
  readonly placeholder: string;
} {
  const dialog = state.isArmed ? state.approvals[0]?.dialog : undefined;
  if (dialog?.kind === "choose")
    return {
      editor: editorOf(""),
      mark: "? ",
      placeholder: state.editor.text === "" ? "" : "(your text is kept)",
    };
  if (dialog !== undefined) return { editor: dialog.editor, mark: "= ", placeholder: "" };
  return { editor: state.editor, mark: "> ", placeholder: "" };
}

/** Returns the last rows that fit, and how many are above them. */
function lastRows(lines: readonly Line[], room: number): readonly Line[] {
  if (room <= 0) return [];
  if (lines.length <= room) return lines;
  const hidden = lines.length - room + 1;
  return [line(`… ${hidden} rows above`, { dim: true }), ...(room === 1 ? [] : lines.slice(1 - room))];
}
