import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { dollars, LIMITS, spentSince, type Spent } from "../../../agent/budget/budget.ts";
import { isQuiet, type ReplState } from "../state/repl-state.ts";
import type { ReplInfo } from "../state/session.ts";
import { WARN_AT } from "../../../agent/budget/meter.ts";
import { thousands } from "../state/describe-spent.ts";
import { plainLine } from "../text/plain.ts";
import { spinnerAt } from "../../terminal/print/progress-line.ts";
import type { CallsView } from "./calls.ts";
import { cut } from "./rows.ts";
import { counted } from "../../../util/text/words.ts";

const STATES: Readonly<Record<ReplState["agentState"], string>> = {
  loading: "loading",
  closing: "closing",
  idle: "ready",
  done: "ready",
  failed: "failed",
  waiting_for_model: "thinking",
  executing_tools: "working",
  waiting_for_approval: "waiting for you",
  waiting_for_message: "waits for a message",
};

/** Returns whether a running time or a spinner is shown. */
export function isBusy({ agentState, command, calls }: ReplState): boolean {
  return !isQuiet(agentState) || command !== undefined || calls.length > 0;
}

/**
 * Returns the status line: activity, model, mode, level and background processes on the left; tokens, cost, budget and context left at
 * the right edge. Drops what does not fit, the least important first.
 */
export function statusRow(state: ReplState, { width, now, paint }: Omit<CallsView, "isExpanded">): string {
  if (state.hint !== undefined) return cut(paint("yellow", state.hint), width);
  const { info, spent, command, approvals } = state;
  const isAsking = approvals.length > 0;
  const working = command === undefined ? STATES[state.agentState] : `running ${command}`;
  const doing = isAsking ? STATES.waiting_for_approval : working;
  const mark = isBusy(state) ? `${spinnerAt(now)} ` : "";
  const parts: readonly Part[] = [
    { text: `${mark}${doing}`, rank: 0 },
    ...modelPart(info),
    ...(info === undefined ? [] : [{ text: `mode ${info.mode}`, rank: 1, brief: [5.2, info.mode] } as const]),
    ...levelPart(info),
    { text: info?.background ? `${info.background} in background` : "", rank: 3 },
    ...spentParts(spent),
    { text: budgetOf(state), rank: 7, isRight: true },
    { text: contextLeft(state), rank: 2, isRight: true },
  ];
  return cut(
    paint(
      "dim",
      fitting(
        parts.filter(({ text }) => text !== ""),
        width,
      ),
    ),
    width,
  );
}

/** The level has an effect only in modes that allow some calls and ask about others; the default one is dropped first. */
function levelPart(info: ReplInfo | undefined): readonly Part[] {
  if (info?.mode !== "auto" && info?.mode !== "edits") return [];
  const { level } = info;
  return [{ text: `level ${level}`, rank: level === "ask" ? 4.5 : 2.5, brief: [5.3, level] }];
}

/** In short without its provider. */
function modelPart(info: ReplInfo | undefined): readonly Part[] {
  const text = plainLine(info?.model ?? "");
  return [{ text, rank: 4, brief: [5.4, text.slice(text.indexOf("/") + 1)] }];
}

interface Part {
  readonly text: string;
  /** The highest is dropped first. */
  readonly rank: number;
  /** A shorter text, used when there is no room for what has a lower rank. */
  readonly brief?: readonly [rank: number, text: string];
  /** Of a shortened part: its whole text, which is shown if there is room after all. */
  readonly whole?: string;
  /** True: at the right edge. */
  readonly isRight?: true;
}

function spentParts(spent: Spent | undefined): readonly Part[] {
  if (spent === undefined) return [];
  const { turns, tokens, money } = spent;
  return [
    { text: turns === 0 ? "" : counted(turns, "turn"), rank: 8, isRight: true },
    { text: tokens === 0 ? "" : `${thousands(tokens)} tokens`, rank: 6, isRight: true },
    { text: money === undefined || turns === 0 ? "" : dollars(money), rank: 5, isRight: true },
  ];
}

/** The blanks between the left and the right parts. */
const MIN_GAP = 3;

function fitting(parts: readonly Part[], width: number): string {
  const row = widened(parts, width);
  if (row !== undefined || parts.length === 1) return row ?? parts[0]?.text ?? "";
  const last = Math.max(...parts.map(({ rank, brief }) => brief?.[0] ?? rank));
  return fitting(
    parts.flatMap((part) => reduced(part, last)),
    width,
  );
}

/** Returns the part in its shorter form, or none, if that is next. */
function reduced(part: Part, last: number): readonly Part[] {
  const { brief, rank, ...rest } = part;
  if ((brief?.[0] ?? rank) !== last) return [part];
  return brief === undefined ? [] : [{ ...rest, rank, text: brief[1], whole: part.text }];
}

/** Returns the row with the whole texts of shortened parts for which there is room after all, the most important first. */
function widened(parts: readonly Part[], width: number): string | undefined {
  let current = parts;
  for (const part of parts.toSorted((one, other) => one.rank - other.rank)) {
    const { whole } = part;
    const wider = current.map((one) => (one === part && whole !== undefined ? { ...one, text: whole } : one));
    if (joined(wider, width) !== undefined) current = wider;
  }
  return joined(current, width);
}

/** Returns undefined if they do not fit. */
function joined(parts: readonly Part[], width: number): string | undefined {
  const [left = "", right = ""] = [false, true].map((isRight) =>
    parts.flatMap((part) => ((part.isRight === true) === isRight ? [part.text] : [])).join(" · "),
  );
  const gap = width - visibleWidth(left) - visibleWidth(right);
  if (right === "") return gap < 0 ? undefined : left;
  return gap < MIN_GAP ? undefined : `${left}${" ".repeat(gap)}${right}`;
}

/** Returns how much of the context window the last request left. */
function contextLeft({ contextTokens, info }: ReplState): string {
  if (contextTokens === 0 || info === undefined) return "";
  return `${Math.max(0, Math.round(100 - (100 * contextTokens) / info.window))} % context left`;
}

/** Returns the share of the limit of the current task that is nearest to being spent; empty while all are far. */
function budgetOf({ agentState, info, spent, spentBefore }: ReplState): string {
  if (info?.budget === undefined || spent === undefined || isQuiet(agentState)) return "";
  const { budget } = info;
  const inTask = spentSince(spentBefore, spent);
  const shares = LIMITS.flatMap((kind) => {
    const [limit, used] = [budget[kind], inTask[kind]];
    return limit === undefined || limit <= 0 || used === undefined ? [] : [used / limit];
  });
  const share = Math.max(0, ...shares);
  return share < WARN_AT ? "" : `budget ${Math.round(share * 100)} %`;
}
