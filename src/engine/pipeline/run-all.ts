import type { ToolCall } from "../../core/call.ts";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import type { ToolResult } from "../../core/result.ts";
import type { CallState } from "../call/call-state.ts";
import { createSlots } from "../call/slots.ts";
import type { EngineParts } from "../types/engine-parts.ts";
import type { RunAllOptions, RunOptions, Slot } from "../types/options.ts";
import { preview, run } from "./run.ts";

/** Runs many calls and returns their answers in the order of the calls. A failed call does not affect the others. */
export async function runAll(
  engine: EngineParts,
  calls: readonly ToolCall[],
  options: RunAllOptions,
): Promise<readonly ToolResult[]> {
  const { parallel = "safe", concurrency = engine.concurrency } = options;
  if (![false, "safe", "all"].includes(parallel)) throw unknownParallel(parallel);
  const touched =
    parallel !== "safe"
      ? []
      : // A call that cannot be previewed is answered when it runs.
        await Promise.all(calls.map((call) => touches(engine, call, options).catch(() => undefined)));
  const slots = createSlots(Math.max(1, concurrency));
  const answers: Promise<ToolResult>[] = [];
  for (const [index, call] of calls.entries()) {
    const earlier = answers.filter((_, other) => {
      if (parallel !== "safe") return parallel === false;
      return conflict(touched[other], touched[index]);
    });
    // A call waits for the earlier ones it depends on, and then runs as if it had arrived just now.
    const start = (slot: Slot): Promise<ToolResult> => run(engine, call, { ...options, slot });
    answers.push(Promise.all(earlier).then(() => slots.use(start, options.signal)));
  }
  return Promise.all(answers);
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

async function touches(
  engine: EngineParts,
  call: ToolCall,
  options: RunOptions,
): Promise<Touched | undefined> {
  const { state } = await preview(engine, call, options);
  const { job } = state;
  // A call that is refused now may be allowed after an earlier call has run.
  if (job === undefined) return undefined;
  const { tool, facts } = job;
  const paths = facts.filter((fact) => fact.kind === "path");
  const isKnown = tool.effects !== "unsafe" && !(tool.effects === "idempotent" && paths.length === 0);
  if (!isKnown || facts.some((fact) => fact.kind === "command")) return undefined;
  return { paths, state: stateOf(state), changesState: tool.effects === "own-state" };
}

/** Tools of one group share their state: listing notes must wait for writing one. */
function stateOf({ entry }: CallState): string {
  return entry?.group ?? entry?.tool.name ?? "";
}

function conflict(a: Touched | undefined, b: Touched | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  if (a.state === b.state && (a.changesState || b.changesState)) return true;
  return a.paths.some((one) => b.paths.some((other) => overlap(one, other)));
}

function overlap(a: PathFact, b: PathFact): boolean {
  if (a.access === "read" && b.access === "read") return false;
  return a.path === b.path || isInside(a.path, b.path) || isInside(b.path, a.path);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
