import { ToolError } from "../../core/errors.ts";
import type { Executor } from "../../core/executor.ts";
import { HOST } from "../../core/spec.ts";
import { describeValue } from "../../util/json/describe-value.ts";

const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isFunction = (value: unknown): boolean => typeof value === "function";
const TRUE_OR_FALSE = { expected: "true or false", isValid: isFlag };
const FUNCTION = { expected: "a function", isValid: isFunction };

const MEMBERS: Readonly<Record<Exclude<keyof Executor, "place" | "execute">, typeof FUNCTION>> = {
  isElsewhere: TRUE_OR_FALSE,
  retriesItself: TRUE_OR_FALSE,
  fallback: { expected: `"${HOST}"`, isValid: (value) => value === HOST },
  runsHere: FUNCTION,
  overrides: FUNCTION,
  accepts: FUNCTION,
  ranOn: FUNCTION,
};

interface Untrusted {
  readonly place?: unknown;
  readonly execute?: unknown;
}

/** Throws `INVALID_INPUT` for an executor that cannot run jobs, or with a wrong value: it would send jobs where they must not run. */
export function checkExecutors(executors: readonly Executor[]): void {
  const places = new Set<string>();
  for (const executor of executors) {
    const { place, ...rest }: Untrusted = executor ?? {};
    if (typeof place !== "string" || place === "")
      throw invalid(`an executor has the place ${describeValue(place)}`, "give it the name of its place");
    if (!isFunction(rest.execute))
      throw invalid(`the executor of "${place}" has no function execute`, "add execute(job, context)");
    for (const [name, { expected, isValid }] of Object.entries(MEMBERS)) {
      const value = executor[name as keyof typeof MEMBERS];
      if (value === undefined || isValid(value)) continue;
      throw invalid(`the executor of "${place}": ${name} is ${describeValue(value)}`, `use ${expected}`);
    }
    if (places.has(place)) throw invalid(`two executors have the place "${place}"`, "pass only one of them");
    places.add(place);
  }
}

function invalid(problem: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", problem, { hint });
}
