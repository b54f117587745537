import { createEngine, defineTool, type Engine, type JsonObject } from "toolwright";
import { CASES } from "./cases.ts";
import { measure, microseconds, type Row } from "./measure.ts";

/** The cost of a call in `runAll` over that of a call in `run`. */
const TARGET = 1.3;
/** The cost of each of 3 000 unsafe calls over that of each of 100. */
const MANY_TARGET = 1.5;

/** Measures calls that run together against the same calls with `run`. */
export async function benchRunAll(): Promise<readonly Row[]> {
  const [safe, unsafe] = [engineWith("none"), engineWith("unsafe")];
  const single = await measure(alone(safe, 100));
  const together = await measure(all(safe, 100));
  const few = await measure(all(unsafe, 100));
  const many = await measure(all(unsafe, 3000));
  await Promise.all([safe.close(), unsafe.close()]);
  return [
    row("runAll of 100 calls, each", together, single, TARGET),
    row("runAll of 100 unsafe calls, each", few, single, TARGET),
    row("runAll of 3 000 unsafe calls, each", many, few, MANY_TARGET),
  ];
}

function row(what: string, figure: number, against: number, target: number): Row {
  const ratio = figure / against;
  return {
    what,
    figure: microseconds(figure),
    against: microseconds(against),
    ratio,
    target: `${target}x`,
    isReached: ratio <= target,
  };
}

function engineWith(effects: "none" | "unsafe"): Engine {
  const [first] = CASES;
  if (first === undefined) throw new Error("no case");
  const tool = {
    name: "work",
    description: "Does the work.",
    input: first.schema,
    risk: "low",
    effects,
  } as const;
  return createEngine({ tools: [defineTool({ ...tool, run: (input: JsonObject) => first.run(input) })] });
}

const CALL = { id: "1", name: "work", input: CASES[0]?.text };

function alone(engine: Engine, width: number): (count: number) => Promise<void> {
  return inGroups(width, () => Promise.all(Array.from({ length: width }, () => engine.run(CALL))));
}

function all(engine: Engine, width: number): (count: number) => Promise<void> {
  return inGroups(width, () => engine.runAll(Array.from({ length: width }, () => CALL)));
}

/** Runs whole groups, as many as have `count` calls or more; `measure` counts the calls. */
function inGroups(
  width: number,
  group: () => Promise<readonly { readonly ok: boolean }[]>,
): (count: number) => Promise<void> {
  let owed = 0;
  return async (count) => {
    for (owed += count; owed > 0; owed -= width)
      for (const { ok } of await group()) if (!ok) throw new Error("failed");
  };
}
