import type { Approval, Question } from "./approval.ts";
import type { ToolCall } from "./call.ts";
import type { Json } from "./json.ts";
import type { Fact } from "./fact.ts";
import type { ToolResult } from "./result.ts";

/** Names a typed value in the context. Two keys with the same name are the same key. */
export interface Key<T> {
  readonly name: string;
  /** Never set: carries the type. */
  readonly type?: T;
}

/** A value under its key; created by `provide`. */
export interface Provided {
  /** What tools pass to `context.get` and `context.find`. */
  readonly key: Key<unknown>;
  /** What they get; for `provideFor` it is computed for each call. */
  readonly value: unknown;
}

/** Returns the key of this name, for `provide` and `context.get`; choose a name that no other package takes. */
export function createKey<T>(name: string): Key<T> {
  return { name };
}

/** Returns a value for the `context` of an engine, an agent or a call, which tools read with `context.get(key)`. */
export function provide<T>(key: Key<T>, value: T): Provided {
  return { key, value };
}

/** A value that is computed for each call that asks for it. */
export class Computed {
  readonly of: (context: ToolContext) => unknown;

  constructor(of: (context: ToolContext) => unknown) {
    this.of = of;
  }
}

/** Like `provide`, with a value of its own for each call: of its session, for example. */
export function provideFor<T>(key: Key<T>, of: (context: ToolContext) => T): Provided {
  return { key, value: new Computed(of) };
}

/** Progress of a running tool: a message for people, output, or data. */
export type Progress =
  | string
  | { readonly stream: "stdout" | "stderr"; readonly text: string }
  | { readonly message?: string; readonly done?: number; readonly total?: number; readonly data?: Json };

/** What the engine offers a running tool. It can be destructured: `{ signal, emit }`. */
export interface ToolContext {
  readonly call: ToolCall;
  /** The targets that policy judged: use these, never resolve them again. */
  readonly facts: readonly Fact[];
  /** Aborted on deadline and cancel; its reason is a `ToolError`. */
  readonly signal: AbortSignal;
  /** The number of this attempt: 1 for the first, more after a temporary failure; 0 before the tool runs. */
  readonly attempt: number;
  /** The same for every attempt of one call and different for every other call: pass it to services that run a request once. */
  readonly idempotencyKey: string;
  /** When the running tool will be ended, on the clock of `performance.now()`; `Infinity` before it runs. */
  readonly deadlineAt: number;
  /** Reports progress; it also resets the idle deadline, and is in the answer if the call is cut short. */
  readonly emit: (progress: Progress) => void;
  /** Asks the approver during the run; refused if there is no approver. */
  readonly ask: (question: Question) => Promise<Approval>;
  /** Returns the value under a key, of the call, else the agent, else the engine; throws `MISSING_CONTEXT`. */
  readonly get: <T>(key: Key<T>) => T;
  /** Like `get`, but returns undefined if there is none. */
  readonly find: <T>(key: Key<T>) => T | undefined;
  /** Runs another tool through the whole pipeline, under the same policy. Never rejects. */
  readonly run: (name: string, input: unknown) => Promise<ToolResult>;
  /** Like `run` for many calls, in parallel if their effects allow; results are in the order of the calls. */
  readonly runAll: (calls: readonly InnerCall[], options?: InnerOptions) => Promise<readonly ToolResult[]>;
}

/** A call that a running tool makes. */
export interface InnerCall {
  readonly name: string;
  readonly input: unknown;
}

/** How the answers to calls of a running tool are formatted. */
export interface InnerOptions {
  /** False leaves untrusted text unmarked: the tool that passes it on is untrusted itself. Default: true. */
  readonly fence?: boolean;
  /** Text and data up to this size are not cut. Default: they are cut as for a model. */
  readonly maxBytes?: number;
}

/** The agent on whose behalf a tool runs. */
export interface AgentInfo {
  readonly id: string;
  readonly name: string;
  readonly parentId?: string;
}

/** The agent that made the call; absent for a call without an agent. */
export const CurrentAgent: Key<AgentInfo> = createKey("CurrentAgent");
