import { ToolError } from "../../core/errors.ts";
import type { Around, Executor } from "../../core/executor.ts";
import { isAsyncIterable } from "../../util/async/thenable.ts";
import { defined } from "../../util/json/defined.ts";

/** Returns the executor with every execution wrapped, the first wrapper outermost; without wrappers, the executor itself. */
export function wrapExecutor(executor: Executor, around: readonly Around[] = []): Executor {
  if (around.length === 0) return executor;
  const { place, isElsewhere, retriesItself, fallback } = executor;
  return {
    place,
    ...defined({ isElsewhere, retriesItself, fallback }),
    runsHere: (tool) => executor.runsHere?.(tool) !== false,
    accepts: (job) => executor.accepts?.(job) !== false,
    ...("overrides" in executor && { overrides: (tool) => executor.overrides?.(tool) === true }),
    ranOn: (context) => executor.ranOn?.(context),
    async execute(job, context) {
      const { tool, input, risk } = job;
      const call = { name: tool.name, input, risk, context };
      const runTool = async (): Promise<unknown> => {
        const output = await executor.execute(job, context);
        if (!isAsyncIterable(output)) return output;
        const { collect } = await import("../answer/collect.ts");
        return collect(output, context);
      };
      const run = around.reduceRight<() => Promise<unknown>>((inner, wrap) => {
        const next = once(inner, tool.name);
        return async () => wrap(call, next);
      }, runTool);
      return run();
    },
  };
}

/** Rejects a second run: the engine alone repeats a call, where that is safe. */
function once(run: () => Promise<unknown>, name: string): () => Promise<unknown> {
  let hasRun = false;
  return async () => {
    if (hasRun)
      throw new ToolError("TOOL_FAILED", `a wrapper of "${name}" called next() twice`, {
        hint: "call it once; the engine retries where that is safe",
      });
    hasRun = true;
    return run();
  };
}
