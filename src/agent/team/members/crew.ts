import type { Provided } from "../../../core/context.ts";
import type { KeptMessages } from "./kept-messages.ts";
import type { Member } from "./member.ts";
import type { Roster } from "./roster.ts";
import type { TeamEvent, TeamLimits, TeamOptions } from "./team-handle.ts";

/** What the parts of one team share. */
export interface Crew {
  readonly options: TeamOptions;
  readonly limits: Required<TeamLimits>;
  readonly roster: Roster;
  readonly kept: KeptMessages;
  /** In the context of every call of its agents. */
  readonly context: readonly Provided[];
  /** Tells an event to whoever listens; never throws. */
  tell(event: TeamEvent): void;
  /** Has an idle agent read what waits for it, where it may be woken. */
  wake(member: Member): void;
  /** Somebody may have come to rest. */
  rest(): void;
  /** Set once the team is being closed. */
  closing: Promise<void> | undefined;
}
