import { createKey, type Key, type ToolContext } from "../../core/context.ts";
import { SessionKey } from "../../core/session/session.ts";

const MAX_LISTED = 10;

const Screenshots: Key<string[]> = createKey("browser.Screenshots");

/** Returns the ids of the last screenshots of the call's session. */
export function screenshotsOf(context: ToolContext): readonly string[] {
  return context.get(SessionKey).getOrCreate(Screenshots, () => ({ value: [] }));
}

/** Adds the id of a new screenshot. */
export function addScreenshot(context: ToolContext, id: string): void {
  const ids = context.get(SessionKey).getOrCreate(Screenshots, () => ({ value: [] }));
  ids.push(id);
  if (ids.length > MAX_LISTED) ids.shift();
}
