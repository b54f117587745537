import type { Model, Price, Usage } from "../../core/agent/model.ts";
import { defined } from "../../util/json/defined.ts";
import type { StoredConversation } from "../sessions/conversation-of.ts";
import type { EntryBody } from "../sessions/transcript.ts";
import type { Spent } from "./budget.ts";
import type { BudgetMeter } from "./meter.ts";

/** Counts what a session has cost since it was created. */
export type Ledger = ReturnType<typeof createLedger>;

type UsageEntry = Extract<EntryBody, { readonly kind: "usage" }>;

/** Continues from a stored session, whose time is not known; `store` appends a usage entry to it. */
export function createLedger(
  { turns, calls, usage }: StoredConversation,
  { price }: Model,
  store: (entry: UsageEntry) => Promise<void>,
) {
  let turn = turns;
  let called = calls;
  let tokens = usage.inputTokens + usage.outputTokens;
  let timeMs = 0;
  let money = tokens === 0 && price === undefined ? undefined : usage.cost;
  return {
    /** The number of the last turn that was started. */
    get turn(): number {
      return turn;
    },
    nextTurn(): number {
      turn += 1;
      return turn;
    },
    /** Charges a model's usage to the session and to the task's meter, and stores it; returns the cost, undefined if the price is not known. */
    async charge(
      { usage: used, model }: { readonly usage: Usage; readonly model: Model },
      meter: BudgetMeter,
    ): Promise<number | undefined> {
      const cost = costOf(used, model.price);
      const usedTokens = used.inputTokens + used.outputTokens;
      money = money === undefined || cost === undefined ? undefined : money + cost;
      tokens += usedTokens;
      meter.spend(defined({ tokens: usedTokens, money: cost }));
      await store({ kind: "usage", turn, model: model.id, usage: used, ...defined({ cost }) });
      return cost;
    },
    addCalls(count: number): void {
      called += count;
    },
    addTime(milliseconds: number): void {
      timeMs += milliseconds;
    },
    spent: (): Spent => ({ turns: turn, tokens, money, timeMs, calls: called }),
  };
}

const TOKENS_PER_PRICE = 1_000_000;

/**
 * Returns the cost of an answer, undefined without a price. Tokens that the provider had cached, or puts into its cache, have their own
 * price.
 */
export function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (price === undefined) return undefined;
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const isLong = price.long !== undefined && inputTokens > price.long.above;
  const { input, output, cached = input, cacheWrite = input } = isLong ? price.long.price : price;
  const fresh = Math.max(0, inputTokens - cachedTokens - cacheWriteTokens);
  const sum = fresh * input + cachedTokens * cached + cacheWriteTokens * cacheWrite + outputTokens * output;
  return sum / TOKENS_PER_PRICE;
}
