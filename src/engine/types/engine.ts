import type { Approval, ApprovalRequest } from "../../core/approval.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Key } from "../../core/context.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Subscribe } from "../../core/events.ts";
import type { Fact } from "../../core/fact.ts";
import type { ChangedFile } from "../../core/hook.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { Fault, ResultOf, ToolResult } from "../../core/result.ts";
import type { Rule } from "../../core/rule.ts";
import type { Risk, ToolSpec } from "../../core/spec.ts";
import type { AnyTool, Tool, ToolRef } from "../../core/tool.ts";
import type { Masker } from "../../secrets/mask.ts";
import type { ProviderFormat, ProviderTools } from "../../formats/provider-shapes.ts";
import type { AddOptions, Groups, Sources, ToolLimit } from "./registry.ts";
import type { ResumeOptions, Run, RunAll, RunOptions } from "./options.ts";

/** The policy's verdict on a call, and the reasons. The call did not run. */
export interface Explanation {
  readonly verdict: Verdict | undefined;
  readonly facts: readonly Fact[];
  readonly risk: Risk | undefined;
  /** What a person would be asked; undefined if the call needs no approval, as far as hooks do not demand one. */
  readonly request: ApprovalRequest | undefined;
  /** The error that would stop the call before policy judges it. */
  readonly fault: Fault | undefined;
}

/** The limits of a session. */
export interface SessionOptions {
  /** The session whose tools, rules and rights this one cannot exceed. */
  readonly parent?: string;
  /**
   * Rules for the calls of the session, besides those of the engine; the strictest rule wins. They replace those given before. With a
   * parent, the session has the rules of the parent too, and its own can only ask or deny.
   */
  readonly rules?: readonly Rule[];
}

/** One session's view of the engine: its own group switches and its own grants. */
export interface EngineSession {
  readonly id: string;
  readonly groups: Groups;
  /**
   * Limits how many tools the session sees; undefined ends the limit. Beyond it the session lacks the tools of sources: search_tools finds them and
   * activate_tools adds them. A session without these two tools sees all.
   */
  limitTools(limit: ToolLimit | undefined): void;
  /** Returns a value that lives as long as the session; undefined if no call has created it. */
  find<T>(key: Key<T>): T | undefined;
  /** Closes and forgets everything that lives as long as the session. */
  close(): Promise<void>;
}

/** The input of one of these tools, by its name or itself, before defaults are filled in; any object if its type is unknown. */
export type CallInput<Tools, Ref> =
  (Ref extends string ? Extract<Tools, { readonly name: Ref }> : Ref) extends ToolRef<
    infer _Data,
    infer Given
  >
    ? unknown extends Given
      ? JsonObject
      : Given
    : JsonObject;

/** The data of one of these tools, by its name or itself. */
export type CallData<Tools, Ref> =
  (Ref extends string ? Extract<Tools, { readonly name: Ref }> : Ref) extends ToolRef<
    infer Data,
    infer _Given
  >
    ? Data
    : unknown;

/** An engine whose `call` knows these tools; without any, it takes every name. */
export type EngineWith<Tools extends readonly AnyTool[]> = [Tools[number]] extends [never]
  ? Engine
  : Engine<Tools[number]>;

/** Runs tool calls: every call gets exactly one answer. `Tools` are those whose names and types `call` knows. */
export interface Engine<Tools extends ToolRef = ToolRef> extends AsyncDisposable {
  /** Registers tools. Throws and changes nothing if a name or alias is taken. */
  add(tool: AnyTool | readonly AnyTool[], options?: AddOptions): void;
  /** Removes a tool by its own name; false if there is none. */
  remove(name: string): boolean;
  /** Returns a registered tool, active or not. */
  get(name: string): Tool | undefined;
  /** Returns the active tools as a model may see them; with `all`, the inactive ones too. */
  list(options?: { readonly session?: string; readonly all?: boolean }): readonly ToolSpec[];
  /** Returns the active tools in the form that a provider's API takes. */
  specs<F extends ProviderFormat>(
    format: F,
    options?: { readonly session?: string; readonly strict?: boolean },
  ): ProviderTools[F][];
  /** Runs one call through the pipeline. Never rejects. */
  readonly run: Run;
  /**
   * Runs one call of a tool, or of a name that `createEngine` was given, with the types of its input and its data. The id is new unless one
   * is given. Never rejects.
   */
  call<const Ref extends Tools["name"] | ToolRef>(
    tool: Ref,
    input: CallInput<Tools, Ref>,
    options?: RunOptions & { readonly id?: string },
  ): Promise<ResultOf<CallData<Tools, Ref>>>;
  /** Runs many calls; the answers are in the order of the calls. Never rejects. */
  readonly runAll: RunAll;
  /**
   * Runs a suspended call with the decision, once, in any process with the same store, and returns its one answer; a second resumption waits
   * for it. Never rejects: an unknown token and an invalid decision are answered with `INVALID_INPUT`, a call that another process runs with
   * `UNAVAILABLE`.
   */
  resume(token: string, decision: Approval, options?: ResumeOptions): Promise<ToolResult>;
  /** Returns what policy would decide, without running anything. */
  explain(call: ToolCall, options?: RunOptions): Promise<Explanation>;
  readonly groups: Groups;
  /** Programs, servers and folders that provide tools. A call of an unknown name waits for those that are loading. */
  readonly sources: Sources;
  /** Opens a session. A session with a parent never has a tool or a right that its parent lacks. */
  session(id: string, options?: SessionOptions): EngineSession;
  /** Notifies listeners and hooks of a file changed from outside; changes by the engine's own tools are reported by itself. */
  fileChanged(file: ChangedFile): void;
  /** Masks secrets, including those it learns later, in text that does not pass through an answer. */
  readonly masker: Pick<Masker, "text" | "find" | "stream" | "learn">;
  /** Calls the listener on every event, or on the named ones only, which is cheaper. Returns a function that unsubscribes. */
  readonly on: Subscribe;
  /** Cancels running calls and refuses later ones. */
  close(): Promise<void>;
}
