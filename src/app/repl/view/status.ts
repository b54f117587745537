import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import type { Budget, Spent } from "../../../agent/budget/budget.ts";
import type { ReplState } from "../state/repl-state.ts";
import { plainLine } from "../text/plain.ts";
import { spinnerAt, type CallsView } from "./calls.ts";
import { cut } from "./rows.ts";

const STATES: Readonly<Record<ReplState["agentState"], string>> = {
  loading: "loading",
  closing: "closing",
  idle: "ready",
  done: "ready",
  failed: "failed",
  waiting_for_model: "thinking",
  executing_tools: "working",
  waiting_for_approval: "waits for you",
  waiting_for_message: "waits for a message",
};
const QUIET: ReadonlySet<ReplState["agentState"]> = new Set(["idle", "done", "failed"]);

/** Returns whether a running time or a spinner is shown. */
export function isBusy({ agentState, command, calls }: ReplState): boolean {
  return !QUIET.has(agentState) || command !== undefined || calls.length > 0;
}

/** Returns the status line: activity, model, mode and cost. Drops what does not fit, the least important first. */
export function statusRow(state: ReplState, { width, now, paint }: Omit<CallsView, "isExpanded">): string {
  if (state.hint !== undefined) return cut(paint("yellow", state.hint), width);
  const { info, spent, command } = state;
  const doing = command === undefined ? STATES[state.agentState] : `running ${command}`;
  const mark = isBusy(state) ? `${spinnerAt(now)} ` : "";
  const parts = [
    { text: `${mark}${doing}`, rank: 0 },
    { text: plainLine(info?.model ?? ""), rank: 2 },
    { text: info === undefined ? "" : `mode ${info.mode}`, rank: 1 },
    {
      text:
        spent === undefined || spent.turns === 0
          ? ""
          : `${spent.turns} ${spent.turns === 1 ? "turn" : "turns"}`,
      rank: 6,
    },
    { text: spent === undefined || spent.tokens === 0 ? "" : `${thousands(spent.tokens)} tokens`, rank: 4 },
    { text: spent?.money === undefined ? "" : moneyOf(spent.money), rank: 5 },
    { text: budgetOf(info?.budget, spent), rank: 3 },
  ].filter(({ text }) => text !== "");
  return cut(paint("dim", fitting(parts, width)), width);
}

function fitting(parts: readonly { readonly text: string; readonly rank: number }[], width: number): string {
  const joined = parts.map(({ text }) => text).join(" · ");
  if (parts.length === 1 || visibleWidth(joined) <= width) return joined;
  const last = Math.max(...parts.map(({ rank }) => rank));
  return fitting(
    parts.filter(({ rank }) => rank !== last),
    width,
  );
}

function thousands(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

function moneyOf(money: number): string {
  return `$${money.toFixed(money < 1 ? 4 : 2)}`;
}

/** Returns the share of the limit that is nearest to being spent. */
function budgetOf(budget: Budget | undefined, spent: Spent | undefined): string {
  if (budget === undefined || spent === undefined) return "";
  const shares = (["turns", "tokens", "money", "timeMs", "calls"] as const).flatMap((kind) => {
    const [limit, used] = [budget[kind], spent[kind]];
    return limit === undefined || limit <= 0 || used === undefined ? [] : [used / limit];
  });
  return shares.length === 0 ? "" : `budget ${Math.round(Math.max(...shares) * 100)} %`;
}
