import type { Model } from "../core/agent/model.ts";
import type { ModelOptions } from "./providers/model-options.ts";
import type { Provider } from "./providers/provider.ts";
import { withLeakedCalls, withTextCalls } from "./text-model.ts";

/** How long a provider may send nothing. */
export const TIMEOUT_MS = 300_000;
const WINDOW = 128_000;

/** Returns the documented context window of a model, or a cautious default. */
export function windowOf({ windows = [] }: Provider, name: string): number {
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? WINDOW;
}

/** Returns a model whose calls are read from its text if its options say so. */
export function withDialect(
  native: Model,
  leaksByDefault: boolean,
  { dialect = "native", leaks }: Pick<ModelOptions, "dialect" | "leaks">,
): Model {
  if (dialect !== "native" && dialect !== "auto") return withTextCalls(native, dialect);
  return (leaks ?? (dialect === "auto" || leaksByDefault)) ? withLeakedCalls(native) : native;
}
