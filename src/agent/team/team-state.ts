import type { Provided, AgentInfo } from "../../core/context.ts";
import { isEnding, type Member } from "./member.ts";
import type { TeamEvent, TeamLimits, TeamOptions } from "./team-handle.ts";
import type { UnreadMessages } from "./unread-messages.ts";
import { ToolError } from "../../core/errors.ts";
import { nearNames } from "../../util/text/near-names.ts";

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

/** The agents of a team, by id, parents before their children. */
type Roster = ReturnType<typeof createRoster>;

/** How many ended agents are remembered. */
const MAX_ENDED = 200;
const MAX_NAMES = 20;

export function createRoster() {
  const members = new Map<string, Member>();
  const living = new Set<Member>();
  const find = (id: string): Member => {
    const member = members.get(id);
    if (member === undefined) throw unknownAgent(id, [...members.values()]);
    return member;
  };
  return {
    add(member: Member): void {
      members.set(member.identity.id, member);
      living.add(member);
      member.parent?.children.add(member);
    },
    /** Removes a member that could not be opened. */
    drop(member: Member): void {
      members.delete(member.identity.id);
      living.delete(member);
      member.parent?.children.delete(member);
    },
    /** Moves a member to the ended ones, of which only the last are remembered. */
    retire(member: Member): void {
      living.delete(member);
      member.parent?.children.delete(member);
      // Oldest first; an ended member has no living members below it.
      for (const [id, one] of members) {
        if (members.size - living.size <= MAX_ENDED) return;
        if (!living.has(one)) members.delete(id);
      }
    },
    get: (id: string): Member | undefined => members.get(id),
    /** Throws, with suggestions, if no agent has the id. */
    find,
    /** Throws if the caller is not a living member of the team. */
    caller({ id }: AgentInfo): Member {
      const member = find(id);
      if (!isEnding(member)) return member;
      throw new ToolError("CANCELLED", `${id} has ended`);
    },
    all: (): readonly Member[] => [...members.values()],
    living: (): readonly Member[] => [...living],
  };
}

function unknownAgent(id: string, members: readonly Member[]): ToolError {
  const byId = new Set(nearNames(id, members.map(idOf)));
  const byName = new Set(nearNames(id, members.map(nameOf)));
  const near = members.filter((member) => byId.has(idOf(member)) || byName.has(nameOf(member)));
  const listed = members
    .filter(({ state }) => state.phase !== "ended")
    .slice(0, MAX_NAMES)
    .map(describe);
  return new ToolError("TOOL_FAILED", `no agent of this team has the id ${JSON.stringify(id)}`, {
    hint:
      near.length > 0
        ? `did you mean ${near.slice(0, MAX_NAMES).map(describe).join(" or ")}?`
        : `agents: ${listed.join(", ")}`,
    details: { id, near: near.map(idOf) },
  });
}

function idOf({ identity }: Member): string {
  return identity.id;
}

function nameOf({ identity }: Member): string {
  return identity.name;
}

function describe({ identity: { id, name } }: Member): string {
  return `${id} (${name})`;
}
