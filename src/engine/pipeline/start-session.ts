import type { CallState } from "../call/call-state.ts";
import { OWN_SESSION } from "../registry/sessions.ts";

/** Stage: runs the session's start hooks before its first call. */
export function startSession(state: CallState): undefined | Promise<undefined> {
  const starting = state.engine.sessionHooks?.start(state.options.session ?? OWN_SESSION);
  return starting === undefined ? undefined : state.orCancelled(starting).then(() => undefined);
}
