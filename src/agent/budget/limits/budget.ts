/** What a budget can limit. */
export type BudgetKind = "turns" | "tokens" | "money" | "time" | "calls";

/** What one task may cost; left out: no limit. */
export interface Budget {
  readonly turns?: number;
  /** Of requests and answers together. */
  readonly tokens?: number;
  /** In the currency of the model's price; needs a model whose price is known. */
  readonly money?: number;
  readonly timeMs?: number;
  readonly calls?: number;
}

/** Of what was spent, what may come out of one purse with others. */
export type SharedSpent = Pick<Spent, "tokens" | "money">;

/** What was spent so far. */
export interface Spent {
  readonly turns: number;
  readonly tokens: number;
  /** Undefined where the model's price is not known. */
  readonly money: number | undefined;
  readonly timeMs: number;
  readonly calls: number;
}
