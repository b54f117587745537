import { originOf } from "../../core/events.ts";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";
import type { Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import type { Emitter } from "../types/engine-parts.ts";
import type { HookResult, Hooks } from "../types/hooks.ts";
import { runHook, type RunningHook } from "./run-hook.ts";

/** How long a stopped hook may take to end. */
const STOP_MS = 2000;

/** Creates the hooks of an engine. Returns undefined if there are none. */
export function createHooks(
  hooks: readonly Hook[],
  { emit, hasListeners, masker }: Emitter,
): Hooks | undefined {
  if (hooks.length === 0) return undefined;
  const byPoint = new Map<HookPoint, readonly Hook[]>();
  for (const hook of hooks) {
    for (const point of new Set(hook.on)) byPoint.set(point, [...(byPoint.get(point) ?? []), hook]);
  }
  const running = new Set<RunningHook>();
  const emitResult = (hook: Hook, moment: HookMoment, result: HookResult): HookResult => {
    const { point, session, call } = moment;
    const about = {
      ...originOf(session, call?.parentId),
      hook: hook.name,
      point,
      ...defined({ callId: call?.id }),
    };
    if (result.kind === "failed") {
      emit({ type: "hook.failed", ...about, message: masker.text(result.message) });
    } else if (hasListeners("hook.decided")) {
      const text = reasonOf(result);
      const reason = text === undefined ? {} : { reason: masker.text(text) };
      emit({ type: "hook.decided", ...about, decision: result.kind, ...reason });
    }
    return result;
  };
  return {
    at(point) {
      const listening = byPoint.get(point)?.filter((hook) => isListening(hook, point));
      return listening?.length === 0 ? undefined : listening;
    },
    run(hook, moment, onStop) {
      const result = runHook(hook, moment);
      if (result === undefined || !("running" in result))
        return result === undefined ? undefined : emitResult(hook, moment, result);
      running.add(result);
      const forget = (): void => void running.delete(result);
      void result.running.then(forget, forget);
      const stopListening = onStop?.(result.stop);
      return result.result.then((later) => {
        stopListening?.();
        return emitResult(hook, moment, later);
      });
    },
    async close() {
      for (const { stop } of running) stop("the engine was closed");
      const ended = Promise.allSettled([...running].map((one) => one.running));
      await withTimeout(ended, STOP_MS, () => undefined);
    },
  };
}

/** Runs hooks in order until `handle` returns a value. Synchronous as long as the hooks are. */
export function runInOrder<T>(
  hooks: readonly Hook[],
  run: (hook: Hook) => ReturnType<Hooks["run"]>,
  handle: (hook: Hook, result: HookResult) => T | undefined,
  from = 0,
): T | undefined | Promise<T | undefined> {
  for (const [at, hook] of hooks.entries()) {
    if (at < from) continue;
    const result = run(hook);
    if (result instanceof Promise)
      return result.then((later) => {
        const handled = later === undefined ? undefined : handle(hook, later);
        return handled ?? runInOrder(hooks, run, handle, at + 1);
      });
    const handled = result === undefined ? undefined : handle(hook, result);
    if (handled !== undefined) return handled;
  }
  return undefined;
}

/** Returns true also if `listensAt` throws. */
function isListening(hook: Hook, point: HookPoint): boolean {
  return attempt(() => hook.listensAt?.(point)) !== false;
}

function reasonOf(decision: HookDecision): string | undefined {
  if (decision.kind === "note") return decision.text;
  return decision.kind === "refuse" || decision.kind === "ask" ? decision.reason : undefined;
}
