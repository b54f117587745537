import type { Groups } from "./groups.ts";
import { createSessionGroups } from "./groups.ts";

/** What belongs to one conversation: its group switches and what was approved for its length. */
export interface Session {
  readonly id: string;
  readonly groups: Groups;
  /** Hashes of calls that were approved for the session. */
  readonly grants: Set<string>;
}

/** The engine's sessions; one is made when first asked for. */
export interface Sessions {
  open(id: string): Session;
  close(id: string): void;
}

export function createSessions(
  groups: Groups,
  changed: (group: string, active: boolean, session: string) => void,
): Sessions {
  const sessions = new Map<string, Session>();
  return {
    open(id) {
      const existing = sessions.get(id);
      if (existing !== undefined) return existing;
      const own = createSessionGroups(groups, (group, active) => changed(group, active, id));
      const session: Session = { id, groups: own, grants: new Set() };
      sessions.set(id, session);
      return session;
    },
    close: (id) => void sessions.delete(id),
  };
}
