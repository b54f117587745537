import type { JsonObject } from "../json.ts";
import type { ToolResult } from "../result.ts";
import type { Effects } from "../spec.ts";

/** A call as the journal keeps it: masked, without what was hidden. */
export interface CallRecord {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject | string | null;
  readonly session: string | null;
  readonly state: "open" | "answered" | "interrupted";
  readonly receivedAt: number;
  readonly answer: ToolResult | null;
}

export interface JournalQuery {
  readonly callId?: string;
  readonly session?: string;
  readonly state?: CallRecord["state"];
  readonly name?: string;
  /** Newest first, at most this many. */
  readonly limit?: number;
}

export interface ReceivedCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly session: string | undefined;
  readonly receivedAt: number;
}

/** One call's place in the journal. What gives a promise is kept when that settles, what gives none at once; either fails where it cannot be. */
export interface JournalEntry {
  /** The tool is about to run: from here on the call may have had effects. */
  start(effects: Effects): undefined | Promise<void>;
  /** The call's one answer; a second one is refused. */
  settle(result: ToolResult): undefined | Promise<void>;
}

/** Keeps every call before it runs and its one answer after. */
export interface Journal {
  receive(call: ReceivedCall): JournalEntry;
  list(query?: JournalQuery): Promise<readonly CallRecord[]>;
  close(): Promise<void>;
}
