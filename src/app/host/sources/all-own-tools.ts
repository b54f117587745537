import { browserTools } from "../../../tools/browser/family.ts";
import type { BrowserOptions } from "../../../tools/browser/page/options.ts";
import { builtInContext } from "../../../tools/built-in-context.ts";
import { builtInTools, type BuiltInOptions } from "../../../tools/built-in.ts";

/** Returns all built-in tools, and what they share with other tools. */
export function allOwnTools(options: BuiltInOptions & BrowserOptions) {
  return {
    tools: [...builtInTools(options), ...browserTools(options)],
    context: builtInContext(options),
  };
}
