import { defined } from "../../../util/json/defined.ts";
import { NOTHING_SPENT, type Spent } from "../../../agent/budget/budget.ts";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { ApprovalQuestion } from "../../host/approvals/question.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ToolResult } from "../../../core/result.ts";
import type { FormField } from "../../../sources/mcp/transport/form.ts";
import type { AgentState } from "../../../core/agent/team.ts";
import type { Todo } from "../../../tools/memory/todos/todos.ts";
import type { ReplInfo } from "./session.ts";
import { answerText } from "./summary.ts";
import type { OutputTail } from "./output-tail.ts";

export interface Banner {
  readonly version: string;
  /** The folder in which it was started. */
  readonly folder: string;
}

/** A finished block, which stays on the screen unchanged. */
export type Block =
  | ({ readonly kind: "banner" } & Banner)
  /** A message of the user, or of another sender. */
  | { readonly kind: "prompt"; readonly text: string; readonly from?: string }
  | { readonly kind: "markdown" | "thought"; readonly text: string }
  | {
      readonly kind: "call";
      readonly summary: string;
      readonly result: ToolResult;
      /** How long it ran, without waiting for approval; undefined if it did not run. */
      readonly durationMs: number | undefined;
      readonly isOfChild: boolean;
      /** The name of the agent, if it is not the root. */
      readonly agent?: string | undefined;
      /** What it changed in files, as a diff. */
      readonly change?: string | undefined;
      /** Shows the answer, not only its first line. */
      readonly isExpanded: boolean;
      /** Shows all rows of the answer; default: those that fit on a screen. */
      readonly isWhole?: true;
    }
  /** A long run of calls that only read, on one line. */
  | { readonly kind: "calls"; readonly calls: readonly CallBlock[] }
  | { readonly kind: "command"; readonly text: string; readonly output: string }
  /** A question that did not fit on the screen, as a whole. */
  | { readonly kind: "question"; readonly pending: PendingApproval }
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly text: string;
      readonly hint?: string;
    };

export type CallBlock = Extract<Block, { readonly kind: "call" }>;

/** A call that has no answer yet. */
export interface LiveCall {
  readonly id: string;
  readonly session: string | undefined;
  readonly name: string;
  readonly summary: string;
  readonly isOfChild: boolean;
  /** The name of the agent, if it is not the root. */
  readonly agent?: string | undefined;
  readonly phase: "waiting" | "asking" | "running";
  /** As `performance.now()` returns it. */
  readonly startedAt: number;
  readonly output: OutputTail;
  /** Shown beside the output, such as a retry. */
  readonly note?: string;
}

/** A question that waits for the user. */
export interface PendingApproval {
  readonly id: number;
  readonly request: ApprovalRequest;
  readonly question: ApprovalQuestion;
  readonly dialog: Dialog;
}

/** The state of the dialog about one request; what is typed is in an editor beside it. */
export type Dialog =
  /** `at` is the choice that the arrow keys have reached. */
  | { readonly kind: "choose"; readonly at?: number }
  /** The user began a command: its letters are no answers. */
  | { readonly kind: "command" }
  /** The user edits the input as JSON. */
  | { readonly kind: "edit"; readonly problem?: string }
  /** The user types a reason for the denial. */
  | { readonly kind: "reason" }
  /** The user fills in the fields of a form, the first of `fields` now. */
  | {
      readonly kind: "form";
      readonly fields: readonly FormField[];
      readonly answers: JsonObject;
      /** The choice of the first field that the arrow keys have reached. */
      readonly at?: number;
      readonly problem?: string;
    };

/** A search in earlier prompts. */
export interface Search {
  readonly typed: string;
  /** How many newer matches are skipped. */
  readonly skipped: number;
  readonly match: string | undefined;
}

/** Everything that the screen shows, except the typed text. */
export interface ReplState {
  /** Counts how often the screen was cleared. */
  readonly screen: number;
  readonly blocks: readonly Block[];
  /** Finished calls that only read, while more of them may follow: they come after the blocks. */
  readonly run: readonly CallBlock[];
  /** The model's text from the first block that may still grow. */
  readonly text: string;
  /** The end of the model's reasoning. */
  readonly thought: string;
  readonly calls: readonly LiveCall[];
  /** The ids of running commands that the person typed, whose whole output is shown. */
  readonly typedCalls: readonly string[];
  /** The first one is shown. */
  readonly approvals: readonly PendingApproval[];
  /** True when keys go to the first approval instead of the prompt. */
  readonly isArmed: boolean;
  readonly todos: readonly Pick<Todo, "content" | "status">[];
  /** Messages that the agent has not read. */
  readonly waiting: readonly string[];
  /** A slash command that is running. */
  readonly command: string | undefined;
  readonly agentState: AgentState | "loading" | "closing";
  readonly info: ReplInfo | undefined;
  readonly spent: Spent | undefined;
  /** What had been spent when the current task began: limits are those of one task. */
  readonly spentBefore: Spent;
  /** The tokens of the last request and its answer; 0 before the first. */
  readonly contextTokens: number;
  /** Shows the model's reasoning as blocks. */
  readonly showsReasoning: boolean;
  /** The search in earlier prompts, if it is open. */
  readonly search: Search | undefined;
  readonly isExpanded: boolean;
  readonly areTodosOpen: boolean;
  /** Shown briefly in place of the status. */
  readonly hint: string | undefined;
}

export const FIRST_STATE: ReplState = {
  screen: 0,
  blocks: [],
  run: [],
  text: "",
  thought: "",
  calls: [],
  typedCalls: [],
  approvals: [],
  isArmed: false,
  todos: [],
  waiting: [],
  command: undefined,
  agentState: "loading",
  info: undefined,
  spent: undefined,
  spentBefore: NOTHING_SPENT,
  contextTokens: 0,
  showsReasoning: false,
  search: undefined,
  isExpanded: false,
  areTodosOpen: true,
  hint: undefined,
};

const QUIET: ReadonlySet<ReplState["agentState"]> = new Set(["idle", "done", "failed"]);

/** Returns whether the agent works on no task. */
export function isQuiet(agentState: ReplState["agentState"]): boolean {
  return QUIET.has(agentState);
}

/** Returns the state with more finished blocks, after the run of calls before them. */
export function withBlock(state: ReplState, ...blocks: readonly Block[]): ReplState {
  return { ...state, blocks: [...state.blocks, ...folded(state.run), ...blocks], run: [] };
}

/** Longer runs are folded. */
const MAX_RUN = 5;

/** Returns the blocks of a run of calls: one for all of them if it is long. */
export function folded(run: readonly CallBlock[]): readonly Block[] {
  return run.length > MAX_RUN ? [{ kind: "calls", calls: run }] : run;
}

/** Returns the state with one more call: in a run if it only read and its answer needs no attention. */
export function withCall(state: ReplState, call: CallBlock, isReading: boolean): ReplState {
  if (!mayFold(call, isReading)) return withBlock(state, call);
  const before = isOfRun(state.run, call) ? state : withBlock(state);
  return { ...before, run: [...before.run, call] };
}

/** Returns the blocks with long runs of calls on one line, as they were shown when they were made. */
export function foldRuns(blocks: readonly Block[], isReading: (tool: string) => boolean): readonly Block[] {
  const all: Block[] = [];
  let run: CallBlock[] = [];
  const endRun = (): void => {
    all.push(...folded(run));
    run = [];
  };
  for (const block of blocks) {
    const mayJoin = block.kind === "call" && mayFold(block, isReading(block.result.name));
    if (!mayJoin || !isOfRun(run, block)) endRun();
    if (mayJoin) run.push(block);
    else all.push(block);
  }
  endRun();
  return all;
}

function mayFold({ result, change, isExpanded }: CallBlock, isReading: boolean): boolean {
  return isReading && result.ok && change === undefined && !isExpanded;
}

/** All calls of a run are of one agent. */
function isOfRun(run: readonly CallBlock[], call: CallBlock): boolean {
  const last = run.at(-1);
  return last === undefined || (last.agent === call.agent && last.isOfChild === call.isOfChild);
}

/** Returns the state with a notice as its last block. */
export function withNotice(
  state: ReplState,
  level: "info" | "warning" | "error",
  text: string,
  hint?: string,
): ReplState {
  return withBlock(state, { kind: "notice", level, text, ...defined({ hint }) });
}

/** Turns the model's text so far into a finished block. */
export function settleText(state: ReplState): ReplState {
  const { text } = state;
  const done = { ...settleThought(state), text: "", thought: "" };
  return text.trim() === "" ? done : withBlock(done, { kind: "markdown", text });
}

/** Turns the reasoning so far into a finished block, if it is shown. */
export function settleThought(state: ReplState): ReplState {
  const { thought, showsReasoning } = state;
  const done = { ...state, thought: "" };
  return showsReasoning && thought.trim() !== "" ? withBlock(done, { kind: "thought", text: thought }) : done;
}

/** Clears the screen; the conversation stays. */
export function cleared(state: ReplState): ReplState {
  return { ...state, blocks: [], run: [], screen: state.screen + 1 };
}

/**
 * Returns the state with more shown: the whole question, all output of running calls, the calls of a
 * folded run, or the answer of the last finished call not shown yet.
 */
export function showMore(given: ReplState): ReplState {
  const state = given.run.length > 0 ? withBlock(given) : given;
  const { approvals, blocks, calls, isExpanded } = state;
  const [pending] = approvals;
  if (pending !== undefined) {
    const isShown = blocks.some((block) => block.kind === "question" && block.pending.id === pending.id);
    return isShown ? state : withBlock(state, { kind: "question", pending });
  }
  if (calls.length > 0 || isExpanded) return { ...state, isExpanded: !isExpanded };
  const last = blocks.findLast(({ kind }) => kind === "call" || kind === "calls");
  if (last?.kind === "calls") return withBlock(state, ...last.calls);
  const finished = blocks.filter((block) => block.kind === "call");
  const wholeCalls = new Set(finished.flatMap((block) => (isShownWhole(block) ? [block.result.callId] : [])));
  const hidden = finished.findLast(({ result }) => !wholeCalls.has(result.callId));
  return hidden === undefined ? state : withBlock(state, { ...hidden, isExpanded: true, isWhole: true });
}

/** The lines of an answer up to which an expanded call shows all of it. */
export const EXPANDED_LINES = 40;

function isShownWhole({ isExpanded, isWhole, result }: Extract<Block, { kind: "call" }>): boolean {
  return isWhole === true || (isExpanded && answerText(result).split("\n").length <= EXPANDED_LINES);
}
