import {
  HOOK_POINTS,
  type Hook,
  type HookDecision,
  type HookMoment,
  type HookPoint,
} from "../../core/hook.ts";
import type { Json } from "../../core/json.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { within } from "./instance.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_CALLS = 1000;

interface ForwardOptions {
  /** Returns the current hooks. */
  readonly hooks: () => readonly Hook[];
  /** Returns true if a current hook listens at the point. */
  readonly listensAt: (point: HookPoint) => boolean;
  /** Returns undefined once all folders are loaded. */
  readonly ready: () => Promise<void> | undefined;
}

/**
 * Creates one engine hook that calls the current hooks of all extensions, in order. The first that refuses or rewrites decides, then
 * the first that requires approval; notes are joined. It must be the first hook of the engine: after a rewrite it recognizes the
 * rewritten input by the next input it is given.
 */
export function createForwardHook({ hooks, listensAt, ready }: ForwardOptions): Hook {
  const rewrites = createRewrites();
  const listening = (moment: HookMoment): readonly Hook[] =>
    hooks().filter((hook) => hook.on.includes(moment.point));
  return {
    name: "extensions",
    on: HOOK_POINTS,
    // Each hook behind it has its own time limit.
    timeoutMs: LONGEST_TIMER_MS,
    listensAt: (point) => ready() !== undefined || listensAt(point),
    run(moment, signal) {
      const waiting = ready();
      const decide = (): HookDecision | undefined | Promise<HookDecision | undefined> =>
        listening(moment).length === 0 ? undefined : decideAll(listening(moment), moment, rewrites, signal);
      return waiting === undefined ? decide() : waiting.then(decide);
    },
  };
}

async function decideAll(
  hooks: readonly Hook[],
  moment: HookMoment,
  rewrites: Rewrites,
  signal: AbortSignal,
): Promise<HookDecision | undefined> {
  const before = rewrites.resume(moment);
  const notes: string[] = [];
  let approval: HookDecision | undefined;
  for (const hook of hooks) {
    const decision = await runHook(hook, moment, signal);
    if (decision?.kind === "refuse") return decision;
    if (decision?.kind === "ask") approval ??= decision;
    if (decision?.kind === "note") notes.push(decision.text);
    if (decision?.kind === "rewrite" && !before.isInPlace(decision.input)) {
      rewrites.record(moment, decision.input);
      return decision;
    }
  }
  return approval ?? (notes.length > 0 ? { kind: "note", text: notes.join("\n") } : undefined);
}

/** Returns the decision of one hook, with its name in the reasons; on failure, the one of its `onFailure`. Rejects only if aborted. */
async function runHook(
  hook: Hook,
  moment: HookMoment,
  signal: AbortSignal,
): Promise<HookDecision | undefined> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS } = hook;
  const onFailure = hook.onFailure ?? (moment.point === "before_tool" ? "refuse" : "pass");
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  try {
    if (hook.matches !== undefined && !hook.matches(moment)) return undefined;
    return named(name, await within(timeoutMs, Promise.resolve(hook.run(moment, stop))));
  } catch (error) {
    ending.abort(error);
    signal.throwIfAborted();
    if (onFailure === "pass") return undefined;
    return { kind: "refuse", reason: `${name}: the hook failed: ${errorMessage(error)}` };
  }
}

/** Adds the name of the hook to its reasons. Throws on an invalid decision: a hook may be plain JavaScript. */
function named(name: string, decision: HookDecision | null | undefined): HookDecision | undefined {
  if (decision === undefined) return undefined;
  switch (decision?.kind) {
    case "pass":
      return undefined;
    case "refuse":
    case "ask":
      return { kind: decision.kind, reason: `${name}: ${decision.reason}` };
    case "note":
      return { kind: "note", text: `${name}: ${decision.text}` };
    case "rewrite":
      return decision;
    default:
      throw new TypeError("it returned an invalid decision");
  }
}

/** The inputs that hooks wrote, by call: validation may coerce an input, so it comes back changed. */
type Rewrites = ReturnType<typeof createRewrites>;

function createRewrites() {
  /** The hashes of the written input and of the input after validation. */
  const recorded = new Map<string, { readonly written: string; validated?: string }>();
  return {
    /** Starts a round over the hooks. */
    resume(moment: HookMoment): { isInPlace(input: Json): boolean } {
      const current = hashOf(moment.call?.input ?? null);
      const last = recorded.get(keyOf(moment));
      // No other hook runs in between: the first input after a rewrite is its validated form.
      if (last !== undefined) last.validated ??= current;
      return {
        isInPlace(input) {
          const hash = hashOf(input);
          return hash === current || (last?.validated === current && last.written === hash);
        },
      };
    },
    record(moment: HookMoment, input: Json): void {
      const key = keyOf(moment);
      recorded.delete(key);
      recorded.set(key, { written: hashOf(input) });
      const [oldest] = recorded.keys();
      if (recorded.size > MAX_CALLS && oldest !== undefined) recorded.delete(oldest);
    },
  };
}

/** Includes the session: callers choose ids, and two sessions may use the same. */
function keyOf({ session, call }: HookMoment): string {
  return JSON.stringify([session, call?.id, call?.name]);
}
