import type { InstructionPart } from "../../core/agent/conversation.ts";
import type { Agent } from "../../core/context.ts";
import type { Message } from "../../core/agent/message.ts";
import type { Usage } from "../../core/agent/model.ts";
import type { AgentState } from "../../core/agent/team.ts";

/** What is known of a kept session without reading it. */
export interface SessionInfo {
  readonly id: string;
  /** The first line of what the person asked first. */
  readonly title: string;
  readonly agent: Agent;
  readonly workspace: string;
  /** `provider/name`, the last one used. */
  readonly model: string;
  readonly state: AgentState;
  readonly turns: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly forkedFrom?: { readonly session: string; readonly seq: number };
}

/** What happened in a session, in order. Nothing is ever changed or taken away. */
export type EntryBody =
  | { readonly kind: "message"; readonly turn: number; readonly message: Message }
  /** From here on the messages before `keptFrom`, the `seq` of a message, are told by the summary. */
  | { readonly kind: "compaction"; readonly summary: string; readonly keptFrom: number }
  /** From here on these parts are in place of those set before; without `keepsHistory` earlier messages are forgotten. */
  | {
      readonly kind: "instructions";
      readonly parts: readonly InstructionPart[];
      readonly keepsHistory: boolean;
    }
  /** A slash command and what it showed: for people, never sent to a model. */
  | { readonly kind: "command"; readonly text: string; readonly output: string }
  | { readonly kind: "state"; readonly state: AgentState; readonly reason?: string }
  | {
      readonly kind: "usage";
      readonly turn: number;
      readonly model: string;
      readonly usage: Usage;
      readonly cost?: number;
    };

export type Entry = EntryBody & {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

export type NewSession = Pick<SessionInfo, "id" | "agent" | "workspace" | "model">;

/** The conversations that are kept. Several processes may read; one at a time writes to a session. */
export interface Transcripts {
  /** Makes a session, or takes up the one that is kept under the id. */
  open(session: NewSession): Promise<{ readonly info: SessionInfo; readonly entries: readonly Entry[] }>;
  /** Settles when the entry is kept. Title, state, turns, model and time of the session follow what is written. */
  append(session: string, body: EntryBody): Promise<Entry>;
  info(session: string): Promise<SessionInfo | undefined>;
  /** The last used first. */
  list(options?: { readonly workspace?: string; readonly limit?: number }): Promise<readonly SessionInfo[]>;
  /** Empty for a session that is not kept. */
  entries(session: string): Promise<readonly Entry[]>;
  /** A new session with everything up to an entry, by default the last; a call is never parted from its result. */
  fork(session: string, options?: { readonly at?: number }): Promise<SessionInfo>;
  delete(session: string): Promise<boolean>;
}
