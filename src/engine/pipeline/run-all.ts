import type { RunAllOptions, RunOptions } from "../types/options.ts";
import type { ToolCall } from "../../core/call.ts";
import type { PathFact } from "../../core/fact.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Line } from "../state/line.ts";
import type { Passage } from "../state/passage.ts";
import { preview, run } from "./run.ts";
import { createSlots } from "../state/slots.ts";

/** Runs many calls; answers come in the order of the calls, and one that fails hurts no other. */
export async function runAll(
  line: Line,
  calls: readonly ToolCall[],
  options: RunAllOptions,
): Promise<readonly ToolResult[]> {
  const { parallel = "safe", concurrency = line.concurrency } = options;
  const touched =
    parallel === "safe" ? await Promise.all(calls.map((call) => touches(line, call, options))) : [];
  const slots = createSlots(Math.max(1, concurrency));
  const answers: Promise<ToolResult>[] = [];
  for (const [index, call] of calls.entries()) {
    const earlier = answers.filter((_, other) => {
      if (parallel !== "safe") return parallel === false;
      return conflict(touched[other], touched[index]);
    });
    // A call waits for the earlier ones it depends on, and is then taken down the line as if it had come just now.
    answers.push(Promise.all(earlier).then(() => slots.use((slot) => run(line, call, options, slot))));
  }
  return Promise.all(answers);
}

/** What a call may change or see; undefined where it cannot be told, which means anything. */
interface Touched {
  readonly paths: readonly PathFact[];
  readonly state: string;
  readonly changesState: boolean;
}

async function touches(line: Line, call: ToolCall, options: RunOptions): Promise<Touched | undefined> {
  const { passage } = await preview(line, call, options);
  const { job } = passage;
  // What is refused now may not be once an earlier call has done its work.
  if (job === undefined) return undefined;
  const { tool, facts } = job;
  const paths = facts.filter((fact) => fact.kind === "path");
  const isKnown = tool.effects !== "unsafe" && !(tool.effects === "idempotent" && paths.length === 0);
  if (!isKnown || facts.some((fact) => fact.kind === "command")) return undefined;
  return { paths, state: stateOf(passage), changesState: tool.effects === "own-state" };
}

/** Tools of one group share their state: a note is written before it is listed. */
function stateOf({ entry }: Passage): string {
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
