import type { Passage } from "../state/passage.ts";
import { OWN_SESSION } from "../registry/session.ts";

/** Station: the first call of a session waits for the hooks that start it. */
export function startSession(passage: Passage): undefined | Promise<undefined> {
  const starting = passage.line.sessionHooks?.start(passage.options.session ?? OWN_SESSION);
  return starting === undefined ? undefined : passage.orCancelled(starting).then(() => undefined);
}
