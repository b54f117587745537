import { ToolError } from "../../core/errors.ts";
import type { Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";
import { isObject } from "../../core/json.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toFault } from "../../util/json/fault.ts";
import type { HookResult } from "../types/hooks.ts";

/** A hook that did not answer at once. */
export interface RunningHook {
  /** Settles once: with the hook's decision, on its timeout or when it is stopped. Never rejects. */
  readonly result: Promise<HookResult>;
  /** The promise of the hook, which may still be pending after `result` has settled. */
  readonly running: Promise<unknown>;
  readonly stop: (reason: string) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const PASS: HookDecision = Object.freeze({ kind: "pass" });

/** Runs a hook. Returns its result, at once if it is synchronous; undefined if the hook does not match. Never throws. */
export function runHook(hook: Hook, moment: HookMoment): HookResult | undefined | RunningHook {
  try {
    if (hook.matches !== undefined && !hook.matches(moment)) return undefined;
    const ending = new AbortController();
    const returned: unknown = hook.run(moment, ending.signal);
    return isThenable(returned) ? wait(hook, moment, returned, ending) : parse(returned, moment.point);
  } catch (error) {
    return failed(error);
  }
}

function wait(
  { timeoutMs = DEFAULT_TIMEOUT_MS }: Hook,
  { point }: HookMoment,
  returned: PromiseLike<unknown>,
  ending: AbortController,
): RunningHook {
  const running = Promise.resolve(returned);
  const stopped = Promise.withResolvers<HookResult>();
  const stop = (reason: string): void => {
    stopped.resolve({ kind: "failed", message: reason });
    ending.abort(new ToolError("CANCELLED", reason));
  };
  const answer = running.then((value) => parse(value, point)).catch(failed);
  const seconds = Number((timeoutMs / 1000).toFixed(3));
  const result = withTimeout(Promise.race([stopped.promise, answer]), timeoutMs, () => {
    stop(`it did not answer within ${seconds} s`);
    return stopped.promise;
  });
  return { result, running, stop };
}

/** The decisions a hook may return at each point. Only those around a call have an effect. */
const ALLOWED: Readonly<Record<HookPoint, readonly HookDecision["kind"][]>> = {
  before_tool: ["pass", "refuse", "ask", "rewrite"],
  after_tool: ["pass", "refuse", "note"],
  tool_error: ["pass", "refuse", "note"],
  session_start: ["pass", "refuse", "ask", "rewrite", "note"],
  session_end: ["pass", "refuse", "ask", "rewrite", "note"],
  file_changed: ["pass", "refuse", "ask", "rewrite", "note"],
};

/** Validates what a hook returned, as any value from untrusted code. */
function parse(returned: unknown, point: HookPoint): HookResult {
  if (returned === undefined) return PASS;
  const { kind, reason, input, text } = (
    typeof returned === "object" && returned !== null ? returned : {}
  ) as Readonly<Record<string, unknown>>;
  const known = ALLOWED[point].find((one) => one === kind);
  if (known === undefined) return invalidKind(point, kind);
  if (known === "pass") return PASS;
  if (known === "rewrite") return rewrite(input);
  if (known === "note") return typeof text === "string" ? { kind: known, text } : missing(known, "text");
  return typeof reason === "string" ? { kind: known, reason } : missing(known, "reason");
}

/** Copies the new input, so that the hook cannot change it after it was judged. */
function rewrite(returned: unknown): HookResult {
  try {
    const input = copyJson(returned, "INVALID_INPUT");
    return isObject(input) ? { kind: "rewrite", input } : missing("rewrite", "input, an object");
  } catch (error) {
    return failed(error);
  }
}

function invalidKind(point: HookPoint, kind: unknown): HookResult {
  const got = typeof kind === "string" ? JSON.stringify(kind) : "an invalid value";
  return { kind: "failed", message: `it returned ${got}; expected ${ALLOWED[point].join(", ")} or nothing` };
}

function missing(kind: string, what: string): HookResult {
  return { kind: "failed", message: `it returned "${kind}" without ${what}` };
}

function failed(error: unknown): HookResult {
  return { kind: "failed", message: toFault(error).message };
}
