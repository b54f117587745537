import type { Provided } from "../../core/context.ts";
import type { Member } from "./member.ts";
import type { Roster } from "./roster.ts";
import type { TeamEvent, TeamLimits, TeamOptions } from "./team-handle.ts";
import type { UnreadMessages } from "./unread-messages.ts";

/** What the functions of one team share. */
export interface TeamState {
  readonly options: TeamOptions;
  readonly limits: Required<TeamLimits>;
  readonly roster: Roster;
  readonly unread: UnreadMessages;
  /** Added to the context of every call of the team's agents. */
  readonly context: readonly Provided[];
  /** Notifies the listeners; never throws. */
  emit(event: TeamEvent): void;
  /** Makes an idle agent read its messages, if it may be woken. */
  wake(member: Member): void;
  /** Called when a member may have become idle or ended: ends waits that cannot be answered, and delegated tasks that are done. */
  update(): void;
  /** Ends the root and the team with it, when the root's tasks have ended. */
  closeRoot(): Promise<void>;
  isClosing: boolean;
}
