import type { CallState } from "../call/call-state.ts";
import { OWN_SESSION } from "../registry/sessions.ts";

/** Stage: before the first call of a session, loads what is known of its text from outside and runs the start hooks. */
export function startSession(state: CallState): undefined | Promise<undefined> {
  const loading = state.session?.untrusted.load();
  const starting = state.engine.sessionHooks?.start(state.options.session ?? OWN_SESSION);
  if (loading === undefined && starting === undefined) return undefined;
  return state.orCancelled(Promise.all([loading, starting])).then(() => undefined);
}
