import { ActiveTools } from "../../core/session/active-tools.ts";
import { ArtifactsKey } from "../../core/store/artifacts.ts";
import type { ToolCall } from "../../core/call.ts";
import type { InnerCall, Key, Progress, Provided, ToolContext } from "../../core/context.ts";
import { CurrentAgent } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { Fact } from "../../core/fact.ts";
import { HiddenPaths } from "../../core/session/hidden-paths.ts";
import type { IsHidden } from "../../core/session/hidden-paths.ts";
import { Session } from "../../core/session/session.ts";
import type { Tool } from "../../core/tool.ts";
import { activeTools } from "./active-tools.ts";
import type { Watch } from "./deadlines.ts";
import type * as emitting from "../events/emitted.ts";
import type { Line } from "./line.ts";
import type { RunOptions } from "../types/options.ts";
import { loadBeside } from "../../util/load-beside.ts";
import type { Masker } from "../../util/text/mask.ts";
import { OWN_SESSION } from "../registry/session.ts";

const NO_FACTS: readonly Fact[] = Object.freeze([]);

/** What a tool may reach of its call. The signal and the record of progress are made only when used. */
export class CallContext implements ToolContext {
  readonly #line: Line;
  readonly #options: RunOptions;
  readonly call: ToolCall;
  /** The one that the call is bound to, whatever it was called and whatever became of it since. */
  tool: Tool | undefined = undefined;
  /** Written by the station that asks the tool for them. */
  facts: readonly Fact[] = NO_FACTS;
  /** Set while the call is under a deadline. */
  #watch: Watch | undefined = undefined;
  /** Set while questions of the tool are open: how many, and since when there are any. */
  #asked: { count: number; readonly since: number } | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  /** Ends with the call: nobody has to think about what nobody waits for. */
  #asking: AbortController | undefined = undefined;
  #emitted: emitting.Emitted | undefined = undefined;
  #ended: ToolError | undefined = undefined;
  #runs = 0;
  #timeoutMs: number | undefined = undefined;
  #deadlineAt: number | undefined = undefined;

  constructor(line: Line, call: ToolCall, options: RunOptions) {
    this.#line = line;
    this.call = call;
    this.#options = options;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  /** Says how long execution may take, over all attempts. The clock starts when the deadline is first asked for. */
  limitTo(timeoutMs: number): void {
    this.#timeoutMs ??= timeoutMs;
  }

  get deadlineAt(): number {
    if (this.#timeoutMs === undefined) return Number.POSITIVE_INFINITY;
    this.#deadlineAt ??= performance.now() + this.#timeoutMs;
    return this.#deadlineAt;
  }

  get watch(): Watch | undefined {
    return this.#watch;
  }

  /** A tool that asks before it is watched does not pay for the answer either. */
  set watch(watch: Watch | undefined) {
    this.#watch = watch;
    if (this.#asked !== undefined) watch?.pause();
  }

  /** The tool has ended: withdraws what it has asked, tells what was held back, and gives the end of all it has told. */
  finish(): string {
    this.#asking?.abort(new ToolError("CANCELLED", "the call that asked is over"));
    for (const progress of this.#emitted?.flush() ?? []) this.#send(progress);
    return this.#emitted?.text() ?? "";
  }

  /** Aborts the signal, for tools that hold it and for those that ask for it later. */
  abort(reason: ToolError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#controller?.abort(reason);
  }

  /** A new attempt: the signal that ended the last one is not its own. */
  renew(): void {
    this.#asking = undefined;
    this.#ended = undefined;
    this.#controller = undefined;
  }

  // Getters that bind: a tool may take `{ emit, signal }` apart, and pays only for what it takes.

  get emit(): ToolContext["emit"] {
    return (progress) => this.#emit(progress);
  }

  get ask(): ToolContext["ask"] {
    const { session } = this.#options;
    return (question) => {
      this.#asking ??= new AbortController();
      const signal = AbortSignal.any([this.signal, this.#asking.signal]);
      const answer = this.#line.ask(this.call, question, {
        signal,
        ...(session === undefined ? {} : { session }),
      });
      return this.#offTheClock(answer);
    };
  }

  get get(): ToolContext["get"] {
    return (key) => this.#get(key);
  }

  get find(): ToolContext["find"] {
    return (key) => this.lookFor(key);
  }

  get run(): ToolContext["run"] {
    return (name, input) => this.#line.run(this.#inner({ name, input }), this.#innerOptions());
  }

  get runAll(): ToolContext["runAll"] {
    return (calls) =>
      this.#line.runAll(
        calls.map((one) => this.#inner(one)),
        this.#innerOptions(),
      );
  }

  /** The value under a key: call over agent over engine. */
  lookFor<T>(key: Key<T>): T | undefined {
    const options = this.#options;
    const own = findIn(options.context, key.name) ?? findIn(options.agent?.context, key.name);
    if (own !== undefined) return own.value as T;
    if (key.name === CurrentAgent.name && options.agent !== undefined) return options.agent as T;
    if (key.name === ActiveTools.name) return activeTools(this.#line, options.session) as T;
    if (key.name === Session.name) return this.#line.sessions.open(options.session ?? OWN_SESSION).scope as T;
    if (key.name === HiddenPaths.name) return hiddenPaths(this.#line, this.tool, options) as T;
    if (key.name === ArtifactsKey.name && this.#line.artifacts !== undefined)
      return this.#line.artifacts as T;
    return this.#line.context.get(key.name) as T | undefined;
  }

  /** Whoever is asked may think: the deadline counts what the tool does. */
  async #offTheClock<T>(answer: Promise<T>): Promise<T> {
    const asked = (this.#asked ??= { count: 0, since: performance.now() });
    asked.count += 1;
    this.#watch?.pause();
    try {
      return await answer;
    } finally {
      asked.count -= 1;
      if (asked.count === 0) this.#goOn(asked.since);
    }
  }

  #goOn(since: number): void {
    this.#asked = undefined;
    // One that was not asked for yet begins only now.
    if (this.#deadlineAt !== undefined) this.#deadlineAt += performance.now() - since;
    this.#watch?.resume();
  }

  #inner({ name, input }: InnerCall): ToolCall {
    this.#runs += 1;
    return { id: `${this.call.id}.${this.#runs}`, name, input };
  }

  #innerOptions(): RunOptions {
    return { ...this.#options, signal: this.signal, depth: (this.#options.depth ?? 0) + 1 };
  }

  #emit(progress: Progress): void {
    this.watch?.touch();
    this.#emitted ??= createEmitted(this.#line.masker);
    this.#emitted.keep(progress);
    if (!this.#line.hears("call.progressed")) return;
    for (const shown of this.#emitted.mask(progress)) this.#send(shown);
  }

  #send(progress: Progress): void {
    this.#line.send({ type: "call.progressed", callId: this.call.id, progress });
  }

  #get<T>(key: Key<T>): T {
    const value = this.lookFor(key);
    if (value !== undefined) return value;
    throw new ToolError("MISSING_CONTEXT", `nothing was provided under the key "${key.name}"`, {
      hint: `pass context: [provide(${key.name}, value)] to createEngine or run`,
    });
  }
}

/** Most tools tell nothing. */
function createEmitted(masker: Masker): emitting.Emitted {
  const { Emitted } = loadBeside(import.meta.url, "../events/emitted") as typeof emitting;
  return new Emitted(masker);
}

function hiddenPaths(
  { policy }: Line,
  tool: Tool | undefined,
  { ceilings }: RunOptions,
): IsHidden | undefined {
  if (policy.hides === undefined || tool === undefined) return undefined;
  const circumstances = ceilings === undefined ? {} : { ceilings };
  return (path) => policy.hides?.(path, tool, circumstances) === true;
}

function findIn(provided: readonly Provided[] | undefined, name: string): Provided | undefined {
  return provided?.findLast((one) => one.key.name === name);
}
