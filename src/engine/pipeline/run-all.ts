import type { PendingCall } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import { describeValue } from "../../util/json/describe-value.ts";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import type { ToolResult } from "../../core/result.ts";
import { Slots } from "../../util/async/slots.ts";
import { required } from "../call/call-state.ts";
import { viewOf, isActive } from "../registry/active-tools.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { RunAllOptions, CallOptions, Slot } from "../types/options.ts";
import type { ToolEntry } from "../types/tool-entry.ts";
import { preview, run } from "./run.ts";

/** Runs many calls and returns their answers in the order of the calls. A failed call does not affect the others. */
export async function runAll(
  engine: EngineParts,
  calls: readonly ToolCall[],
  options: CallOptions & Pick<RunAllOptions, "parallel" | "concurrency">,
): Promise<readonly Result[]> {
  if (!Array.isArray(calls))
    throw new ToolError("INVALID_INPUT", `runAll: expected a list of calls, got ${describeValue(calls)}`, {
      hint: "pass callsFrom(response, format)",
    });
  const { parallel = "safe", concurrency = engine.concurrency } = options;
  if (![false, "safe", "all"].includes(parallel)) throw unknownParallel(parallel);
  const touched = parallel === "safe" && calls.length > 1 ? await touchedBy(engine, calls, options) : [];
  const slots = new Slots(concurrency);
  const order = createOrder();
  return Promise.all(
    calls.map((call, index) => {
      const start = (slot: Slot): Promise<Result> => run(engine, call, options, slot);
      const use = (): Promise<Result> => slots.use(start, options.signal);
      // A call waits for the earlier ones it depends on, and then runs as if it had arrived just now.
      return parallel === "all" ? use() : order.after(touched[index], use);
    }),
  );
}

type Result = ToolResult | PendingCall;

interface Order {
  /** Starts a call when the earlier calls that it depends on have been answered: all of them if it is unknown what it touches. */
  after(touched: Touched | "together" | undefined, start: () => Promise<Result>): Promise<Result>;
}

/** Creates an order in which calls that touch nothing in common run at once. It compares only the calls that may depend on each other. */
function createOrder(): Order {
  let span = spanAfter();
  /** Calls that run at once with each other, after what was before the first of them. */
  let group: { readonly before: readonly Answer[]; readonly members: Answer[] } | undefined;
  return {
    after(touched, start) {
      if (touched === "together") {
        group ??= { before: [...span.barrier, ...span.answers], members: [] };
        const answer = afterAll(group.before, start);
        group.members.push(answer);
        return answer;
      }
      if (group !== undefined) span = spanAfter(Promise.all(group.members));
      group = undefined;
      const earlier = touched === undefined ? span.answers : earlierThan(span, touched);
      const answer = afterAll([...span.barrier, ...earlier], start);
      if (touched === undefined) span = spanAfter(answer);
      else note(span, touched, answer);
      return answer;
    },
  };
}

type Answer = Promise<unknown>;

/** The calls since the last one that everything after it waits for. */
interface Span {
  /** That call, if there is one. */
  readonly barrier: readonly Answer[];
  readonly answers: Answer[];
  readonly withPaths: { readonly paths: readonly PathFact[]; readonly answer: Answer }[];
  /** For each state, the last call that changes it, and the calls that use it since then. */
  readonly states: Map<string, { readonly change: readonly Answer[]; readonly uses: Answer[] }>;
}

function spanAfter(...barrier: readonly Answer[]): Span {
  return { barrier, answers: [], withPaths: [], states: new Map() };
}

function earlierThan(span: Span, { paths, state, changesState }: Touched): readonly Answer[] {
  const { change = [], uses = [] } = span.states.get(state) ?? {};
  const own = [...change, ...(changesState ? uses : [])];
  if (paths.length === 0) return own;
  const overlapping = span.withPaths.filter((other) =>
    paths.some((path) => other.paths.some((one) => overlap(path, one))),
  );
  return [...own, ...overlapping.map(({ answer }) => answer)];
}

function note(span: Span, { paths, state, changesState }: Touched, answer: Answer): void {
  span.answers.push(answer);
  if (paths.length > 0) span.withPaths.push({ paths, answer });
  const own = span.states.get(state);
  if (changesState) span.states.set(state, { change: [answer], uses: [] });
  else if (own === undefined) span.states.set(state, { change: [], uses: [answer] });
  else own.uses.push(answer);
}

function afterAll<T>(earlier: readonly Promise<unknown>[], start: () => Promise<T>): Promise<T> {
  const [first] = earlier;
  if (first === undefined) return start();
  return earlier.length === 1 ? first.then(start) : Promise.all(earlier).then(start);
}

/** A program that is not type-checked could run calls at once that must not. */
function unknownParallel(parallel: unknown): ToolError {
  return new ToolError("INVALID_INPUT", `unknown value of parallel: ${String(parallel)}`, {
    hint: 'give "safe", "all" or false',
  });
}

/** What a call may read or change; undefined means that it is unknown. */
interface Touched {
  readonly paths: readonly PathFact[];
  readonly state: string;
  readonly changesState: boolean;
}

/** Previews the calls whose tools cannot say without their input what they may touch. A call that cannot be read is answered when it runs. */
async function touchedBy(
  engine: EngineParts,
  calls: readonly ToolCall[],
  options: CallOptions,
): Promise<readonly (Touched | "together" | undefined)[]> {
  const view = viewOf(engine, options.session);
  const previews: Promise<void>[] = [];
  const touched: (Touched | "together" | undefined)[] = calls.map((call, index) => {
    try {
      const entry = engine.registry.find(call.name)?.entry;
      const isKnown = entry !== undefined && isActive(view, entry);
      if (isKnown && entry.tool.runsTogether === true) return "together";
      if (isKnown && entry.tool.effects === "unsafe") return undefined;
      if (isKnown && entry.tool.facts === undefined && entry.tool.check === undefined)
        return declaredBy(entry);
    } catch {
      return undefined;
    }
    const noted = touches(engine, call, options).then((value) => void (touched[index] = value));
    previews.push(noted.catch(() => undefined));
    return undefined;
  });
  await Promise.all(previews);
  return touched;
}

/** Returns what a tool without facts may touch, whatever its input. */
function declaredBy(entry: ToolEntry): Touched | undefined {
  const { effects } = entry.tool;
  if (effects === "idempotent") return undefined;
  return { paths: [], state: stateOf(entry), changesState: effects === "own-state" };
}

async function touches(
  engine: EngineParts,
  call: ToolCall,
  options: CallOptions,
): Promise<Touched | undefined> {
  const { state } = await preview(engine, call, options);
  const { job } = state;
  // A call that is refused now may be allowed after an earlier call has run.
  if (job === undefined) return undefined;
  const { tool, facts } = job;
  const paths = facts.filter((fact) => fact.kind === "path");
  const isKnown = tool.effects !== "unsafe" && !(tool.effects === "idempotent" && paths.length === 0);
  if (!isKnown || facts.some((fact) => fact.kind === "command")) return undefined;
  return { paths, state: stateOf(required(state.entry, "tool")), changesState: tool.effects === "own-state" };
}

/** Tools of one group share their state: listing notes must wait for writing one. */
function stateOf({ group, tool }: ToolEntry): string {
  return group ?? tool.name;
}

function overlap(a: PathFact, b: PathFact): boolean {
  if (a.access === "read" && b.access === "read") return false;
  return a.path === b.path || isInside(a.path, b.path) || isInside(b.path, a.path);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
