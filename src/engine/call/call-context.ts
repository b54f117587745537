import { originOf } from "../../core/events.ts";
import type { ToolCall } from "../../core/call.ts";
import {
  Computed,
  CurrentAgent,
  type InnerCall,
  type InnerOptions,
  type Key,
  type Progress,
  type Provided,
  type ToolContext,
} from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import { ActiveTools } from "../../core/session/active-tools.ts";
import { SessionKey } from "../../core/session/session.ts";
import { FindSecretsKey } from "../../core/session/find-secrets.ts";
import { ArtifactsKey } from "../../core/store/artifacts.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { activeTools } from "../registry/active-tools.ts";
import { OWN_SESSION } from "../registry/sessions.ts";
import type { EngineParts, Watch } from "../types/engine-parts.ts";
import type { CallOptions } from "../types/options.ts";
import { HIDING, hidingUnder } from "./hiding.ts";
import type { LimitSlot } from "./limit-slot.ts";
import { ProgressTail } from "./progress-tail.ts";

const NO_FACTS: readonly Fact[] = Object.freeze([]);

/** The context of one call. The abort signal and the record of progress are created on first use. */
export class CallContext implements ToolContext {
  readonly #engine: EngineParts;
  readonly #options: CallOptions;
  readonly call: ToolCall;
  /** The tool that the call is bound to, even if it was removed or replaced since. */
  tool: Tool | undefined = undefined;
  /** Written by the `examine` stage. */
  facts: readonly Fact[] = NO_FACTS;
  /** Hashes of the calls of this tool that were approved together with it. */
  approvedCalls: ReadonlySet<string> | undefined = undefined;
  attempt = 0;
  /** Its slot among the calls that run, if their number is limited. */
  limitSlot: LimitSlot | undefined = undefined;
  #watch: Watch | undefined = undefined;
  /** The number of open questions of the tool, and when the first of them was asked. */
  #questions: { count: number; readonly since: number } | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  /** Withdraws open questions when the call ends. */
  #asking: AbortController | undefined = undefined;
  #progress: ProgressTail | undefined = undefined;
  #isOver = false;
  #abortReason: ToolError | undefined = undefined;
  #innerCalls = 0;
  #timeoutMs: number | undefined = undefined;
  #totalMs = 0;
  #deadlineAt: number | undefined = undefined;
  #lastDeadlineAt: number | undefined = undefined;

  constructor(engine: EngineParts, call: ToolCall, options: CallOptions) {
    this.#engine = engine;
    this.call = call;
    this.#options = options;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    return this.#controller.signal;
  }

  get idempotencyKey(): string {
    const { id, name, input } = this.call;
    const { session = null } = this.#options;
    return hashOf(["call", session, id, name, copyJson(input, undefined)]);
  }

  /** Sets the time that each attempt may take, and all attempts together. */
  limitTo(timeoutMs: number, totalMs: number): void {
    this.#timeoutMs ??= timeoutMs;
    this.#totalMs = totalMs;
  }

  /** When the current attempt must have ended. The clock starts at the first read. */
  get deadlineAt(): number {
    if (this.#timeoutMs === undefined) return Number.POSITIVE_INFINITY;
    if (this.#deadlineAt !== undefined) return this.#deadlineAt;
    const now = performance.now();
    this.#lastDeadlineAt ??= now + this.#totalMs;
    this.#deadlineAt = Math.min(now + this.#timeoutMs, this.#lastDeadlineAt);
    return this.#deadlineAt;
  }

  /** When the last attempt must have ended; never, if only attempts are limited. */
  get lastDeadlineAt(): number {
    // Starts the clock.
    return Math.max(this.deadlineAt, this.#lastDeadlineAt ?? 0);
  }

  /** Set while the call is under a deadline. */
  get watch(): Watch | undefined {
    return this.#watch;
  }

  /** Pauses the new watch if a question is already open. */
  set watch(watch: Watch | undefined) {
    this.#watch = watch;
    if (this.#questions !== undefined) watch?.pause();
  }

  /** Withdraws the tool's questions, emits held progress and returns the end of all progress. Later progress is ignored. */
  finish(): string {
    this.#isOver = true;
    this.#asking?.abort(new ToolError("CANCELLED", "the call that asked has ended"));
    if (this.#progress === undefined) return "";
    for (const progress of this.#progress.flush()) this.#publish(progress);
    return this.#progress.text();
  }

  /** Aborts the signal of the tool. */
  abort(reason: ToolError): void {
    if (this.#abortReason !== undefined) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  /** Prepares another attempt, with a signal of its own. */
  renew(): void {
    this.#isOver = false;
    this.#asking = undefined;
    this.#abortReason = undefined;
    this.#controller = undefined;
    this.#deadlineAt = undefined;
  }

  // Getters that bind, so that a tool may destructure `{ emit, signal }` and pays only for what it uses.

  get emit(): ToolContext["emit"] {
    return (progress) => this.#emit(progress);
  }

  get ask(): ToolContext["ask"] {
    return (question) => {
      this.#asking ??= new AbortController();
      const signal = AbortSignal.any([this.signal, this.#asking.signal]);
      const options = { ...this.#options, signal };
      const answer = import("./ask-approver.ts").then(({ askFromTool }) =>
        askFromTool(this.#engine, this.call, question, options),
      );
      return this.#pauseDuring(answer);
    };
  }

  get get(): ToolContext["get"] {
    return (key) => this.#get(key);
  }

  get find(): ToolContext["find"] {
    return (key) => this.lookFor(key);
  }

  // A call of a tool is not suspended: its options have no `whenAsked`.

  get run(): ToolContext["run"] {
    return (name, input) =>
      this.#sharing(() =>
        this.#engine.run(this.#inner({ name, input }), this.#innerOptions()),
      ) as Promise<ToolResult>;
  }

  get runAll(): ToolContext["runAll"] {
    return (calls, given) =>
      this.#sharing(() =>
        this.#engine.runAll(
          calls.map((one) => this.#inner(one)),
          this.#innerOptions(given),
        ),
      ) as Promise<readonly ToolResult[]>;
  }

  /** Returns the value under a key: of the call, else of the agent, else of the engine. */
  lookFor<T>(key: Key<T>): T | undefined {
    return this.#lookFor(key.name) as T | undefined;
  }

  #lookFor(name: string): unknown {
    const engine = this.#engine;
    const { context, agent, session } = this.#options;
    const own = findIn(context, name) ?? findIn(agent?.context, name);
    if (own !== undefined) return this.#valueOf(own.value);
    if (name === CurrentAgent.name && agent !== undefined) return agent;
    if (name === ActiveTools.name) return activeTools(engine, session);
    if (name === SessionKey.name) return engine.sessions.open(session ?? OWN_SESSION).scope;
    if (HIDING.has(name)) return this.tool && hidingUnder(name, this.tool, engine, this.#options);
    if (name === ArtifactsKey.name && engine.artifacts !== undefined) return engine.artifacts;
    if (name === FindSecretsKey.name) return this.tool?.masks === false ? undefined : engine.masker.find;
    return this.#valueOf(engine.context.get(name));
  }

  #valueOf(value: unknown): unknown {
    return value instanceof Computed ? value.of(this) : value;
  }

  /** Stops the deadlines of this call and of those around it while the approver decides. */
  async #pauseDuring<T>(answer: Promise<T>): Promise<T> {
    const { whileAsked } = this.#options;
    const questions = (this.#questions ??= { count: 0, since: performance.now() });
    questions.count += 1;
    this.#watch?.pause();
    try {
      return await (whileAsked === undefined ? answer : whileAsked(answer));
    } finally {
      questions.count -= 1;
      if (questions.count === 0) this.#resume(questions.since);
    }
  }

  #resume(since: number): void {
    this.#questions = undefined;
    // A deadline that nothing has read yet has not started.
    const pausedMs = performance.now() - since;
    if (this.#deadlineAt !== undefined) this.#deadlineAt += pausedMs;
    if (this.#lastDeadlineAt !== undefined) this.#lastDeadlineAt += pausedMs;
    this.#watch?.resume();
  }

  #sharing<T>(run: () => Promise<T>): Promise<T> {
    return this.limitSlot === undefined ? run() : this.limitSlot.during(run);
  }

  #inner({ name, input }: InnerCall): ToolCall {
    this.#innerCalls += 1;
    return { id: `${this.call.id}.${this.#innerCalls}`, name, input };
  }

  #innerOptions(given?: InnerOptions): CallOptions {
    // A call that waits for an inner call in another slot could wait forever.
    const {
      slot: _,
      approvedBy: _approved,
      whenAsked: _whenAsked,
      resumed: _resumed,
      // The model's answer asked for the outer call.
      usage: _usage,
      ...rest
    } = this.#options;
    const { decision: _decision, ...options } = rest;
    const { approvedCalls, signal } = this;
    const depth = (options.depth ?? 0) + 1;
    const holdsSlot = options.holdsSlot === true || this.limitSlot?.isOfTool === true;
    const whileAsked: CallOptions["whileAsked"] = (answer) => this.#pauseDuring(answer);
    const own = { signal, approvedCalls, depth, parentId: this.call.id, holdsSlot, whileAsked };
    return { ...options, ...given, ...own };
  }

  #emit(progress: Progress): void {
    if (this.#isOver) return;
    this.watch?.touch();
    this.#progress ??= new ProgressTail(this.#engine.masker);
    this.#progress.add(progress);
    if (!this.#engine.hasListeners("call.progressed")) return;
    for (const masked of this.#progress.mask(progress)) this.#publish(masked);
  }

  #publish(progress: Progress): void {
    const { session, parentId } = this.#options;
    this.#engine.emit({
      ...originOf(session, parentId),
      type: "call.progressed",
      callId: this.call.id,
      progress,
    });
  }

  #get<T>(key: Key<T>): T {
    const value = this.lookFor(key);
    if (value !== undefined) return value;
    throw new ToolError("MISSING_CONTEXT", `no value was provided for the key "${key.name}"`, {
      hint: `pass context: [provide(${key.name}, value)] to createEngine or run`,
    });
  }
}

function findIn(provided: readonly Provided[] | undefined, name: string): Provided | undefined {
  return provided?.findLast((one) => one.key.name === name);
}
