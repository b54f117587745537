import type { Model, Usage } from "../../../core/agent/model.ts";
import type { Spent } from "./budget.ts";
import { costOf } from "./cost.ts";
import type { KeptConversation } from "../../sessions/conversation-of.ts";

/** What a session has cost, from its beginning. */
export interface Ledger {
  /** The number of the last turn that was begun. */
  readonly turn: number;
  nextTurn(): number;
  /** Gives back what it cost; undefined where the model's price is not known. */
  addUsage(usage: Usage, model: Model): number | undefined;
  addCalls(count: number): void;
  addTime(milliseconds: number): void;
  spent(): Spent;
}

/** Goes on from what was kept of a session; the time before is not known. */
export function createLedger({ turns, calls, usage }: KeptConversation, { price }: Model): Ledger {
  let turn = turns;
  let called = calls;
  let tokens = usage.inputTokens + usage.outputTokens;
  let timeMs = 0;
  // Nothing was spent yet: then it costs nothing, if it is known what it will cost.
  let money = tokens === 0 && price === undefined ? undefined : usage.cost;
  return {
    get turn() {
      return turn;
    },
    nextTurn() {
      turn += 1;
      return turn;
    },
    addUsage(used, model) {
      const cost = costOf(used, model.price);
      money = money === undefined || cost === undefined ? undefined : money + cost;
      tokens += used.inputTokens + used.outputTokens;
      return cost;
    },
    addCalls(count) {
      called += count;
    },
    addTime(milliseconds) {
      timeMs += milliseconds;
    },
    spent: () => ({ turns: turn, tokens, money, timeMs, calls: called }),
  };
}
