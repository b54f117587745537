import type { Spent } from "../../../agent/budget/budget.ts";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { AgentState } from "../../../core/agent/team.ts";
import type { Dialog } from "./dialog.ts";
import type { Menu } from "../complete/menu.ts";
import type { Editor } from "../edit/editor.ts";
import { EMPTY_EDITOR } from "../edit/editor.ts";
import type { ReplInfo, ShownTodo } from "./session.ts";
import type { Line } from "../text/line.ts";
import type { Banner } from "./banner.ts";
import type { OutputTail } from "./output-tail.ts";

/** Something that is over and stays on the screen as it is. */
export type Block =
  | ({ readonly kind: "banner" } & Banner)
  /** What the person said, or whoever else put a message into the conversation. */
  | { readonly kind: "prompt"; readonly text: string; readonly from?: string }
  | { readonly kind: "markdown"; readonly text: string }
  | {
      readonly kind: "call";
      readonly summary: string;
      readonly result: ToolResult;
      /** How long it ran, without the time it waited for a person; undefined where it never did. */
      readonly durationMs: number | undefined;
      readonly isOfChild: boolean;
      /** What it answered is shown too, not its first line alone. */
      readonly isExpanded: boolean;
    }
  | { readonly kind: "command"; readonly text: string; readonly output: string }
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly text: string;
      readonly hint?: string;
    };

/** A call that has no answer yet. */
export interface LiveCall {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly isOfChild: boolean;
  readonly phase: "waiting" | "asking" | "running";
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly tail: OutputTail;
  /** What is known of it beside its output: that it is tried again. */
  readonly note?: string;
}

/** A question that waits for the person. */
export interface PendingApproval {
  readonly id: number;
  readonly request: ApprovalRequest;
  /** What it would change, once that is known. */
  readonly change: readonly Line[] | undefined;
  readonly dialog: Dialog;
}

/** Everything that is on the screen. */
export interface ReplState {
  /** Counts how often the screen was cleared. */
  readonly screen: number;
  readonly blocks: readonly Block[];
  /** What the model is saying, from the first block that may still grow. */
  readonly text: string;
  /** The end of what it is thinking. */
  readonly thought: string;
  readonly calls: readonly LiveCall[];
  /** The first one is asked. */
  readonly approvals: readonly PendingApproval[];
  /** The first approval takes the keys; until then they go on into the text that is being typed. */
  readonly isArmed: boolean;
  readonly todos: readonly ShownTodo[];
  readonly editor: Editor;
  /** Which entry of the history is shown, counted from the last; 0 is what is being typed. */
  readonly recalled: number;
  /** What was being typed before the history was looked into. */
  readonly draft: string;
  readonly menu: Menu | undefined;
  /** Messages that nobody has read yet. */
  readonly waiting: readonly string[];
  /** A slash command that is running. */
  readonly command: string | undefined;
  readonly agentState: AgentState | "loading" | "closing";
  readonly info: ReplInfo | undefined;
  readonly spent: Spent | undefined;
  readonly isExpanded: boolean;
  readonly areTodosOpen: boolean;
  /** For a moment, in place of the status. */
  readonly hint: string | undefined;
}

export const FIRST_STATE: ReplState = {
  screen: 0,
  blocks: [],
  text: "",
  thought: "",
  calls: [],
  approvals: [],
  isArmed: false,
  todos: [],
  editor: EMPTY_EDITOR,
  recalled: 0,
  draft: "",
  menu: undefined,
  waiting: [],
  command: undefined,
  agentState: "loading",
  info: undefined,
  spent: undefined,
  isExpanded: false,
  areTodosOpen: true,
  hint: undefined,
};

/** The state with something more that is over. */
export function withBlock(state: ReplState, ...blocks: readonly Block[]): ReplState {
  return { ...state, blocks: [...state.blocks, ...blocks] };
}
