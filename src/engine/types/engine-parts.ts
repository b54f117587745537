import type { Key } from "../../core/context.ts";
import type { Approver, PendingCall } from "../../core/approval.ts";
import type { Cuts } from "../../core/cuts.ts";
import type { EngineEvent, Subscribe } from "../../core/events.ts";
import type { Executor } from "../../core/executor.ts";
import type { Grants } from "../../core/grant.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { Ceiling, Mode, Policy } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Fault, ToolResult } from "../../core/result.ts";
import type { UntrustedText } from "../../core/session/untrusted-texts.ts";
import type { SessionScope } from "../../core/session/session.ts";
import type { Rule } from "../../core/rule.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import type { Journal } from "../../core/store/journal.ts";
import type { Tool } from "../../core/tool.ts";
import type { InFlight } from "../../util/async/in-flight.ts";
import type { Slots } from "../../util/async/slots.ts";
import type { Masker } from "../../secrets/mask.ts";
import type { FileChanges, Hooks, SessionHooks } from "./hooks.ts";
import type { Sources } from "./registry.ts";
import type { CallOptions, RunOrder, ResolvePath, Retry } from "./options.ts";
import type { Registry, SwitchedGroups, ToolWindow } from "./tool-entry.ts";

/** The parts of an engine, shared by all of its calls. */
export interface EngineParts extends Registrar {
  readonly sources: EngineSources;
  readonly sessions: Sessions;
  /** Runs the end hooks of a session, closes it and forgets its grants. */
  readonly closeSession: (id: string, options?: { readonly isIdle?: boolean }) => Promise<void>;
  readonly policy: Policy;
  readonly currentMode: (() => Mode) | undefined;
  readonly approver: Approver | undefined;
  readonly approvalTimeoutMs: number;
  readonly grants: Grants;
  /** Throws `INVALID_INPUT` for ceilings that would limit nothing. */
  readonly checkCeilings: (ceilings: readonly Ceiling[]) => void;
  /** Of calls without a session. */
  readonly untrusted: UntrustedText;
  readonly resolvePath: ResolvePath | undefined;
  /** Undefined without hooks, which then cost nothing. */
  readonly hooks: Hooks | undefined;
  readonly sessionHooks: SessionHooks | undefined;
  readonly changes: FileChanges;
  readonly context: ReadonlyMap<string, unknown>;
  readonly executors: Executors;
  readonly journal: Journal | undefined;
  readonly artifacts: Artifacts | undefined;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number | undefined;
  readonly retry: Retry;
  readonly concurrency: number;
  readonly limitSlots: LimitSlots;
  readonly cuts: Cuts;
  readonly modelText: "plain" | "envelope";
  /** Callbacks of waiting calls, called when the engine closes. */
  readonly closing: Set<() => void>;
  isClosed(): boolean;
  readonly inFlight: InFlight;
  /** The resumptions that are running, by token. */
  readonly resuming: Map<string, Promise<ToolResult>>;
  /** Never rejects. A call is suspended only with `whenAsked: "return"`. */
  readonly run: (call: ToolCall, options: CallOptions) => Promise<ToolResult | PendingCall>;
  readonly runAll: (
    calls: readonly ToolCall[],
    options: CallOptions & RunOrder,
  ) => Promise<readonly (ToolResult | PendingCall)[]>;
  /** Returns the verdict of policy and of earlier approvals on a call, without running it. */
  readonly examine: (call: ToolCall, options: CallOptions) => Promise<Examined>;
}

export interface Executors {
  readonly byPlace: ReadonlyMap<string, Executor>;
  /** Those that run tools of other places, too, in the order in which they were given. */
  readonly overriding: readonly Executor[];
}

/** A call that was examined up to its verdict. */
export interface Examined {
  readonly job: Job | undefined;
  readonly verdict: Verdict | undefined;
  readonly facts: readonly Fact[];
  /** The error that would stop the call before policy judges it. */
  readonly fault: Fault | undefined;
}

/** Emits events without secrets. */
export interface Emitter {
  /** Passes an event to its listeners, in the order they were added. Never throws. */
  readonly emit: (event: EngineEvent) => void;
  /** Returns false if no listener would receive such an event, which then need not be created. */
  readonly hasListeners: (type: EngineEvent["type"]) => boolean;
  readonly masker: Masker;
}

/** The parts that registering a tool changes. */
export interface Registrar extends Emitter {
  readonly registry: Registry;
  readonly groups: SwitchedGroups;
}

/** The listeners of an engine's events. */
export interface Listeners extends Pick<Emitter, "emit" | "hasListeners"> {
  /** Calls the listener on every event, or on the named ones only. Returns a function that unsubscribes. */
  readonly add: Subscribe;
}

/** The sources as the engine itself uses them. */
export interface EngineSources extends Sources {
  /** Starts every load that has not begun and returns those that run and may provide the tool; without a name, all. */
  loads(name?: string): readonly Promise<unknown>[];
  close(): Promise<void>;
}

/** One session's group switches and everything that lives as long as the session. */
export interface OpenSession {
  readonly groups: SwitchedGroups;
  readonly window: ToolWindow;
  readonly scope: SessionScope;
  find<T>(key: Key<T>): T | undefined;
  /** Shared with the sessions above and below it. */
  readonly untrusted: UntrustedText;
  /** The rules for its calls, and those of its parents; a session with a parent allows nothing by its own rules. */
  rules: readonly Rule[] | undefined;
  /** Counts a call that runs: the session is in use until `leave`. */
  enter(): void;
  leave(): void;
  close(): Promise<void>;
}

/** The engine's sessions; each is created on first use. */
export interface Sessions {
  /** Opens a session. A session with a parent never has a tool that its parent lacks. */
  open(id: string, parent?: string): OpenSession;
  /** Closes a session. If it was only idle and has rules or a parent, a later call gets it with these limits. */
  close(id: string, options?: { readonly isIdle?: boolean }): Promise<void>;
  closeAll(): Promise<void>;
}

/** The limits on the number of running calls, of all tools together and of each tool; undefined if there is none. */
export interface LimitSlots {
  readonly all: Slots | undefined;
  of(tool: Tool): Slots | undefined;
}

/** The deadlines of all calls, on one timer. */
export interface Deadlines {
  watch(options: WatchOptions): Watch;
  close(): void;
}

export interface WatchOptions {
  /** When the call must have ended, on the clock of `performance.now()`. */
  readonly endsAt: number;
  readonly idleMs: number | undefined;
  onEnd(kind: "deadline" | "idle"): void;
}

/** A call under a deadline. */
export interface Watch {
  /** Restarts the idle time. */
  touch(): void;
  /** Stops the clock until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends the watch. */
  stop(): void;
}
