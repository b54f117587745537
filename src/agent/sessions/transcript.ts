import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { AgentInfo } from "../../core/context.ts";
import type { Message } from "../../core/agent/message.ts";
import type { Usage } from "../../core/agent/model.ts";
import type { AgentState } from "../../core/agent/team.ts";

/** The summary data of a stored session. */
export interface SessionInfo {
  readonly id: string;
  /** The first line of the first user message, or what `rename` set. */
  readonly title: string;
  /** The agent whose conversation it is. */
  readonly agent: AgentInfo;
  /** The folder in which the agent works. */
  readonly workspace: string;
  /** The last model that was used, as `provider/name`. */
  readonly model: string;
  readonly state: AgentState;
  /** How many turns it has had. */
  readonly turns: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The session that it was copied from, up to this entry; absent if it was created empty. */
  readonly forkedFrom?: { readonly session: string; readonly seq: number };
}

/** What happened in a session. Entries are only ever appended. */
export type EntryBody =
  | { readonly kind: "message"; readonly turn: number; readonly message: Message }
  /** From here on the summary replaces the messages before the one with the number `keptFrom`. */
  | { readonly kind: "compaction"; readonly summary: string; readonly keptFrom: number }
  /** From here on these parts replace earlier ones; without `keepsHistory` earlier messages are dropped. */
  | {
      readonly kind: "instructions";
      readonly parts: readonly InstructionPart[];
      readonly keepsHistory: boolean;
    }
  /** A slash command and its output, never sent to a model. */
  | { readonly kind: "command"; readonly text: string; readonly output: string }
  | { readonly kind: "state"; readonly state: AgentState; readonly reason?: string }
  | {
      readonly kind: "usage";
      readonly turn: number;
      readonly model: string;
      readonly usage: Usage;
      readonly cost?: number;
    };

/** An entry with its number and time. */
export type Entry = EntryBody & {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** What a session is created with. */
export type NewSession = Pick<SessionInfo, "id" | "agent" | "workspace" | "model">;

/** The stored conversations. Several processes may read a session; one at a time writes to it. */
export interface Transcripts {
  /** Creates a session, or opens the stored one with the id. */
  open(session: NewSession): Promise<{ readonly info: SessionInfo; readonly entries: readonly Entry[] }>;
  /** Settles when the entry is stored; also updates title, state, turns, model and time of the session. */
  append(session: string, body: EntryBody): Promise<Entry>;
  /** Returns undefined for an unknown session. */
  info(session: string): Promise<SessionInfo | undefined>;
  /** Sets the title, cut to 120 characters on one line. Throws `INVALID_INPUT` for an unknown session and an empty title. */
  rename(session: string, title: string): Promise<void>;
  /** Returns the sessions, the last used first. */
  list(options?: { readonly workspace?: string; readonly limit?: number }): Promise<readonly SessionInfo[]>;
  /** Returns no entries for an unknown session. */
  entries(session: string): Promise<readonly Entry[]>;
  /** Creates a session with the entries up to `at`, default: the last; a call is never separated from its result. */
  fork(session: string, options?: { readonly at?: number }): Promise<SessionInfo>;
  /** Returns false if there is none. Throws `UNAVAILABLE` if the session is open in another process. */
  delete(session: string): Promise<boolean>;
}
