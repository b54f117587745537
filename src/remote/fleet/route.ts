import { ToolError } from "../../core/errors.ts";
import type { PlacedTool } from "../../core/executor.ts";
import { compileName } from "../../util/text/name-pattern.ts";
import { textOf, type Directory, type Ignored } from "./directory.ts";
import type { VersionedTool, WorkerAdvert } from "./wire.ts";
import type { FleetRule } from "./types/options.ts";

/** Returns the first rule for a tool. */
export function ruleFor(rules: readonly FleetRule[], tool: PlacedTool): FleetRule | undefined {
  return rules.find(
    (rule) =>
      matches(rule.tool, tool.name) &&
      matches(rule.source, tool.source) &&
      (rule.group === undefined || rule.group === tool.group),
  );
}

function matches(pattern: string | undefined, name: string): boolean {
  return (
    pattern === undefined || pattern === name || (pattern.includes("*") && compileName(pattern).matches(name))
  );
}

/** Chooses the pool of a call; see `choosePool`. */
export type ChoosePool = (tool: VersionedTool, wanted: Pick<FleetRule, "pool" | "labels">) => string;

/** Adverts are older than this on average. */
const CHOICE_MS = 250;

/** Returns a function that chooses among the workers of a directory. It repeats a recent choice until workers come, go or change: a thousand are too many to search for each call. */
export function createChoice(
  { workers, watch, ignored }: Pick<Directory, "workers" | "watch" | "ignored">,
  now: () => number = () => performance.now(),
): ChoosePool {
  const choices = new Map<string, { readonly pool: string; readonly endsAt: number }>();
  watch(() => choices.clear());
  return (tool, wanted) => {
    const key = JSON.stringify([tool, wanted.pool, wanted.labels]);
    const known = choices.get(key);
    if (known !== undefined && known.endsAt > now()) return known.pool;
    const pool = choosePool(workers(), tool, wanted, ignored());
    choices.set(key, { pool, endsAt: now() + CHOICE_MS });
    return pool;
  };
}

/** Returns the pool with the most free slots among those with a worker that can take a call. Throws `UNAVAILABLE` if there is none. */
function choosePool(
  workers: readonly WorkerAdvert[],
  tool: VersionedTool,
  { pool, labels = [] }: Pick<FleetRule, "pool" | "labels">,
  ignored: Ignored,
): string {
  const name = tool.slice(0, tool.lastIndexOf("@"));
  const named = workers.filter((one) => !one.isDraining && (pool === undefined || one.pool === pool));
  const labelled = named.filter((one) => labels.every((label) => one.labels.includes(label)));
  const able = labelled.filter(({ tools }) => tools.includes(tool));
  const free = new Map<string, number>();
  for (const one of able) free.set(one.pool, (free.get(one.pool) ?? 0) + one.concurrency - one.running);
  const [best] = [...free].toSorted(([, one], [, other]) => other - one);
  if (best !== undefined) return best[0];
  const where = pool === undefined ? "" : ` of pool ${pool}`;
  const hasOther = labelled.some(({ tools }) => tools.some((one) => one.startsWith(`${name}@`)));
  const why = hasOther
    ? `the workers${where} have another version of it`
    : labels.length > 0 && named.length > 0
      ? `no worker${where} with the labels ${labels.join(", ")} has it`
      : named.length > 0
        ? `no worker${where} has it`
        : `no worker${where} is running${textOf(ignored)}`;
  throw new ToolError("UNAVAILABLE", `"${name}" cannot run on the fleet: ${why}`, {
    hint: "toolwright fleet lists the workers; toolwright worker starts one",
  });
}
