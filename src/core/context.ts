import type { Approval, Question } from "./approval.ts";
import type { ToolCall } from "./call.ts";
import type { Json } from "./json.ts";
import type { Fact } from "./fact.ts";
import type { ToolResult } from "./result.ts";

/** Names a typed value in the context. Two keys of one name are the same key. */
export interface Key<T> {
  readonly name: string;
  /** Never set: carries the type. */
  readonly type?: T;
}

/** A value under its key; made by `provide`. */
export interface Provided {
  readonly key: Key<unknown>;
  readonly value: unknown;
}

export function createKey<T>(name: string): Key<T> {
  return { name };
}

export function provide<T>(key: Key<T>, value: T): Provided {
  return { key, value };
}

/** What a tool tells while it runs: a word for people, a line of output, or any data. */
export type Progress =
  | string
  | { readonly stream: "stdout" | "stderr"; readonly text: string }
  | { readonly message?: string; readonly done?: number; readonly total?: number; readonly data?: Json };

/** What a running tool may reach of the engine. It may be taken apart: `{ signal, emit }`. */
export interface ToolContext {
  readonly call: ToolCall;
  /** What was judged: use these targets, never resolve them again. */
  readonly facts: readonly Fact[];
  /** Aborted on deadline and cancel; its reason is a `ToolError`. */
  readonly signal: AbortSignal;
  /** When the running tool will be ended, on the clock of `performance.now()`; before it runs that is never, `Infinity`. */
  readonly deadlineAt: number;
  /** Tells progress; it also resets the idle deadline, and is in the answer if the call is cut short. */
  readonly emit: (progress: Progress) => void;
  /** Asks the approver in the middle of a run; no approver means no. */
  readonly ask: (question: Question) => Promise<Approval>;
  /** The value under a key, call over agent over engine; throws `MISSING_CONTEXT`. */
  readonly get: <T>(key: Key<T>) => T;
  /** Like `get`, but undefined where there is none. */
  readonly find: <T>(key: Key<T>) => T | undefined;
  /** Runs another tool through the whole line, under the same policy. Never rejects. */
  readonly run: (name: string, input: unknown) => Promise<ToolResult>;
  /** Like `run` for many, together where their effects allow; answers come in the order of the calls. */
  readonly runAll: (calls: readonly InnerCall[]) => Promise<readonly ToolResult[]>;
}

/** A call that a running tool makes. */
export interface InnerCall {
  readonly name: string;
  readonly input: unknown;
}

/** Who is calling: the agent on whose behalf a tool runs. */
export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly parentId?: string;
}

export const CurrentAgent: Key<Agent> = createKey("CurrentAgent");
