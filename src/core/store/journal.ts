import type { JsonObject } from "../json.ts";
import type { ToolResult } from "../result.ts";
import type { Effects } from "../spec.ts";

/** A stored call: masked, without hidden input. */
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

/** One call in the journal. A write that returns a promise is stored when it resolves, one that returns undefined at once; both fail if it cannot be stored. */
export interface JournalEntry {
  /** Records that the tool is about to run: from then on the call may have had effects. */
  start(effects: Effects): undefined | Promise<void>;
  /** Records the answer; a second answer is refused. */
  settle(result: ToolResult): undefined | Promise<void>;
}

/** Stores every call before it runs, and its answer after. */
export interface Journal {
  receive(call: ReceivedCall): JournalEntry;
  list(query?: JournalQuery): Promise<readonly CallRecord[]>;
  close(): Promise<void>;
}
