import type { Fact } from "../fact.ts";
import type { Json, JsonObject } from "../json.ts";
import type { RanOn, ToolResult } from "../result.ts";
import type { Effects, Risk } from "../spec.ts";
import type { Verdict } from "../verdict.ts";

/** Why a call ran or not, stored with its answer: masked. */
export interface CallTrace {
  /** What policy decided; absent if the call was answered before that. */
  readonly verdict?: Pick<Verdict, "kind" | "reason" | "rule" | "hint">;
  readonly risk?: Risk;
  readonly facts?: readonly Fact[];
  /** The input that ran, if it is not the one that was received. */
  readonly input?: Json;
  /** Absent if no approver was asked. */
  readonly approval?: ApprovalTrace;
  /** The stack of the error that the tool threw, and of its causes. */
  readonly stack?: string;
  /** The stages that the call waited for, in order; those that took less than a millisecond are left out. */
  readonly stages?: readonly StageTime[];
  /** The worker that ran the tool in another process, and its machine. */
  readonly ranOn?: RanOn;
}

/** How long a call waited for a `stage` of the pipeline. Times are in milliseconds since it was received. */
export interface StageTime {
  readonly stage: string;
  readonly from: number;
  readonly to: number;
}

/** What a call cost: its share of the model's answer that asked for it. */
export interface CallUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In USD; absent if the price is not known. */
  readonly cost?: number;
}

/** How a call was approved or refused, and by whom. Times are in milliseconds since 1970. */
export interface ApprovalTrace {
  readonly askedAt: number;
  readonly answeredAt: number;
  /** The decision. */
  readonly approved: boolean;
  /** Who decided, if the approver says so. */
  readonly by?: string;
  /** `once`, or how long the approval holds. */
  readonly scope?: string;
  readonly reason?: string;
}

/** A stored call: masked, without hidden input. */
export interface CallRecord {
  /** Its place in the order of the journal. Calls that are not in the database yet share the last one. */
  readonly position: number;
  readonly callId: string;
  readonly name: string;
  /** A text if it was no JSON object. */
  readonly input: JsonObject | string | null;
  readonly session: string | null;
  /** The folder that the call was made in; null if its program recorded none. */
  readonly folder: string | null;
  /** The user on whose behalf the call was made. */
  readonly subject: string | null;
  /** The machine whose process received the call; null if its program recorded none. */
  readonly machine: string | null;
  /** Null for a call that no model asked for. */
  readonly usage: CallUsage | null;
  /** `pending`: it waits for a decision, and no end of a process settles it. */
  readonly state: "open" | "pending" | "answered" | "interrupted";
  readonly receivedAt: number;
  /** When the tool began to run. */
  readonly startedAt: number | null;
  /** Null until there is one. */
  readonly answer: ToolResult | null;
  /** Null until the call is answered, and for calls of earlier versions. */
  readonly trace: CallTrace | null;
}

export interface JournalQuery {
  readonly callId?: string;
  /** Only calls that were received at this time: it tells calls with one id apart. */
  readonly receivedAt?: number;
  readonly session?: string;
  /** Only calls that were made in this folder. */
  readonly folder?: string;
  readonly subject?: string;
  /** Only calls in this state. */
  readonly state?: CallRecord["state"];
  readonly name?: string;
  /** Only calls before this position. */
  readonly before?: number;
  /** Only calls after this position. */
  readonly after?: number;
  /** Only the calls that this call made. */
  readonly parent?: string;
  /** `ok`, `failed`, `failed_not_denied` or the code of an error. */
  readonly outcome?: string;
  /** Only calls whose tool, input or answer has this text; upper and lower case are the same. */
  readonly text?: string;
  /** Newest first, at most this many. */
  readonly limit?: number;
}

export interface ReceivedCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly session: string | undefined;
  /** The folder that the call is made in. */
  readonly folder?: string;
  readonly subject?: string | undefined;
  /** The machine of this process. */
  readonly machine?: string;
  readonly usage?: CallUsage | undefined;
  readonly receivedAt: number;
}

/** One call in the journal. A write that returns a promise is stored when it resolves, one that returns undefined at once; both fail if it cannot be stored. */
export interface JournalEntry {
  /** Records that the tool is about to run: from then on the call may have had effects. */
  start(effects: Effects): undefined | Promise<void>;
  /** Records the answer; a second answer is refused. */
  settle(result: ToolResult, trace?: CallTrace): undefined | Promise<void>;
  /** Lets the call wait for a decision, with the details that its resumption needs. Returns the token to claim it with, in any process. */
  suspend(details: JsonObject): Promise<string>;
}

/** A call that was suspended. */
export interface ClaimedCall {
  /** The call as it was suspended. */
  readonly record: CallRecord;
  readonly details: JsonObject;
  /** Undefined if the call was claimed before. Only one claim gets it, whichever process makes it. */
  readonly entry: JournalEntry | undefined;
}

/** Stores every call before it runs, and its answer after. */
export interface Journal {
  /** Records a call before anything else happens to it. */
  receive(call: ReceivedCall): JournalEntry;
  /** Returns the calls that match, newest first. */
  list(query?: JournalQuery): Promise<readonly CallRecord[]>;
  /** Claims a suspended call, which is then open and belongs to this process. Returns undefined for an unknown token. */
  claim(token: string): Promise<ClaimedCall | undefined>;
  close(): Promise<void>;
}
