import type { Model, Price, Usage } from "../../core/agent/model.ts";
import { defined } from "../../util/json/defined.ts";
import type { StoredConversation } from "../sessions/conversation-of.ts";
import type { EntryBody } from "../sessions/transcript.ts";
import type { Spent } from "./budget.ts";
import type { BudgetMeter } from "./meter.ts";

/** Counts what a session has cost since it was created. */
export interface Ledger {
  /** The number of the last turn that was started. */
  readonly turn: number;
  nextTurn(): number;
  /** Charges a model's usage to the session and to the task's meter, and stores it; returns the cost, undefined if the price is not known. */
  charge(
    used: { readonly usage: Usage; readonly model: Model },
    meter: BudgetMeter,
  ): Promise<number | undefined>;
  addCalls(count: number): void;
  addTime(milliseconds: number): void;
  spent(): Spent;
}

type UsageEntry = Extract<EntryBody, { readonly kind: "usage" }>;

/** Continues from a stored session, whose time is not known; `store` appends a usage entry to it. */
export function createLedger(
  { turns, calls, usage }: StoredConversation,
  { price }: Model,
  store: (entry: UsageEntry) => Promise<void>,
): Ledger {
  let turn = turns;
  let called = calls;
  let tokens = usage.inputTokens + usage.outputTokens;
  let timeMs = 0;
  let money = tokens === 0 && price === undefined ? undefined : usage.cost;
  return {
    get turn() {
      return turn;
    },
    nextTurn() {
      turn += 1;
      return turn;
    },
    async charge({ usage: used, model }, meter) {
      const cost = costOf(used, model.price);
      const usedTokens = used.inputTokens + used.outputTokens;
      money = money === undefined || cost === undefined ? undefined : money + cost;
      tokens += usedTokens;
      meter.spend(defined({ tokens: usedTokens, money: cost }));
      await store({ kind: "usage", turn, model: model.id, usage: used, ...defined({ cost }) });
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

const TOKENS_PER_PRICE = 1_000_000;

/** Returns the cost of an answer, undefined without a price. Tokens that the provider had cached have their own price. */
export function costOf(
  { inputTokens, outputTokens, cachedTokens = 0 }: Usage,
  price: Price | undefined,
): number | undefined {
  if (price === undefined) return undefined;
  const { input, output, cached = input } = price;
  const fresh = Math.max(0, inputTokens - cachedTokens);
  return (fresh * input + cachedTokens * cached + outputTokens * output) / TOKENS_PER_PRICE;
}
