import { dollars, type Spent } from "../../../agent/budget/budget.ts";
import type { ReplState } from "./repl-state.ts";
import { counted } from "../../../util/text/words.ts";

/** Returns what was spent: turns, tokens, and money if the price is known. */
export function describeSpent({ turns, tokens, money }: Spent): string {
  const spent = `${counted(turns, "turn")}, ${thousands(tokens)} tokens`;
  return money === undefined ? spent : `${spent}, ${dollars(money)}`;
}

/** Returns what is printed on leaving: the background processes that ended, the cost, and the command that resumes; empty if nothing was said. */
export function farewell({ spent, info }: Pick<ReplState, "spent" | "info">): string {
  if (info === undefined) return "";
  const { background } = info;
  const ended =
    background === 0 ? "" : `ended ${counted(background, "background process", "background processes")}\n`;
  if (spent === undefined || spent.turns === 0) return ended;
  return `${ended}${describeSpent(spent)}\ntoolwright chat --resume ${info.id} continues this conversation\n`;
}

/** Formats a count with three digits. */
export function thousands(count: number): string {
  if (count < 1000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}
