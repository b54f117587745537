import type { Model, Price } from "../core/agent/model.ts";
import { findKnownModel } from "./providers/known-models.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import type { Provider } from "./providers/provider.ts";
import { withLeakedCalls, withTextCalls } from "./text-model.ts";

/** How long a provider may send nothing. */
export const TIMEOUT_MS = 300_000;
const WINDOW = 128_000;

/** Returns the documented context window of a model, or a cautious default. */
export function windowOf({ known, windows = [] }: Provider, name: string): number {
  const documented = findKnownModel(known, name)?.window;
  return documented ?? windows.find(([pattern]) => pattern.test(name))?.[1] ?? WINDOW;
}

/** Returns the documented price of a model; undefined if it is not known, or if it is requested at another address, which may have its own. */
export function priceAt({ known, address }: Provider, name: string, baseUrl: string): Price | undefined {
  return baseUrl === address ? findKnownModel(known, name)?.price : undefined;
}

/**
 * Models whose chat template opens the reasoning unless a request turns it off: DeepSeek R1 and its distillations, QwQ, Qwen 3 Thinking,
 * MiniMax M2, Step 3, GLM 4.7, Nemotron Nano v2, Nemotron 3. Those of DeepSeek V3, GLM 4.5, Kimi K2 Thinking and Qwen 3 do not.
 */
const STARTS_IN_REASONING =
  /deepseek-?r1|\bqwq|qwen3.*thinking|minimax-?m2|\bstep-?3(?!\d)|glm-?4\.7|nemotron-?nano.*v2|nemotron-?3(?![\d.])/i;

type DialectOptions = Pick<ModelOptions, "dialect" | "leaks" | "startsInReasoning" | "repair">;

/** Returns a model whose calls are read from its text if its options say so. */
export function withDialect(
  native: Model,
  name: string,
  { leaksByDefault }: { readonly leaksByDefault: boolean },
  options: DialectOptions,
): Model {
  const { dialect = "native", leaks, repair = true } = options;
  const { startsInReasoning = STARTS_IN_REASONING.test(name) } = options;
  const reading = { startsInReasoning, repair };
  if (dialect !== "native" && dialect !== "auto") return withTextCalls(native, dialect, reading);
  const findsLeaks = leaks ?? (dialect === "auto" || leaksByDefault);
  return findsLeaks ? withLeakedCalls(native, reading) : native;
}
