import type { JsonObject } from "../json.ts";
import type { ToolResult } from "../result.ts";
import type { Effects } from "../spec.ts";

/** A stored call: masked, without hidden input. */
export interface CallRecord {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject | string | null;
  readonly session: string | null;
  /** `pending`: it waits for a decision, and no end of a process settles it. */
  readonly state: "open" | "pending" | "answered" | "interrupted";
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
  /** Lets the call wait for a decision, with the details that its resumption needs. Returns the token to claim it with, in any process. */
  suspend(details: JsonObject): Promise<string>;
}

/** A call that was suspended. */
export interface ClaimedCall {
  readonly record: CallRecord;
  readonly details: JsonObject;
  /** Undefined if the call was claimed before. Only one claim gets it, whichever process makes it. */
  readonly entry: JournalEntry | undefined;
}

/** Stores every call before it runs, and its answer after. */
export interface Journal {
  receive(call: ReceivedCall): JournalEntry;
  list(query?: JournalQuery): Promise<readonly CallRecord[]>;
  /** Claims a suspended call, which is then open and belongs to this process. Returns undefined for an unknown token. */
  claim(token: string): Promise<ClaimedCall | undefined>;
  close(): Promise<void>;
}
