import type { Price, Usage } from "../../../core/agent/model.ts";

const TOKENS_OF_PRICE = 1_000_000;

/** What an answer cost; undefined where nobody has said what the model costs. What the provider had kept costs its own price. */
export function costOf(
  { inputTokens, outputTokens, cachedTokens = 0 }: Usage,
  price: Price | undefined,
): number | undefined {
  if (price === undefined) return undefined;
  const { input, output, cached = input } = price;
  const fresh = Math.max(0, inputTokens - cachedTokens);
  return (fresh * input + cachedTokens * cached + outputTokens * output) / TOKENS_OF_PRICE;
}
