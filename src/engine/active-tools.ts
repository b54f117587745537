import type { ToolList } from "../core/active-tools.ts";
import type { Line } from "./line.ts";
import type { Entry } from "./registry.ts";
import { specOf } from "./registry.ts";

/** The tools that are active for a session, or on the engine, as a tool may look at them. */
export function activeTools(line: Line, session: string | undefined): ToolList {
  const isActive = activeIn(line, session);
  return {
    get(name) {
      const entry = line.registry.find(name)?.entry;
      return entry !== undefined && isActive(entry) ? entry.tool : undefined;
    },
    list: () => activeEntries(line, session).map(specOf),
  };
}

/** Every entry that is active for a session, or on the engine. */
export function activeEntries(line: Line, session: string | undefined): readonly Entry[] {
  return [...line.registry.entries()].filter(activeIn(line, session));
}

function activeIn({ groups, sessions }: Line, session: string | undefined): (entry: Entry) => boolean {
  const switches = session === undefined ? groups : sessions.open(session).groups;
  return (entry) => switches.isActive(entry.group);
}
