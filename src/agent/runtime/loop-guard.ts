import type { ToolCall } from "../../core/call.ts";
import type { ToolResult } from "../../core/result.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";

/** A task that seems to repeat itself. */
export interface SuspectedLoop {
  /** Text for people and for the model. */
  readonly description: string;
  readonly repeats: number;
}

/** How many repeats are suspicious at first. */
const REPEATS = 3;
const LONGEST_CYCLE = 5;
/** How many of the last calls are compared. */
const MAX_REMEMBERED = 1000;

/** Detects repeated calls in one task. It only reports; the loop decides what to do. */
export function createLoopGuard() {
  let needed = REPEATS;
  const keys: string[] = [];
  const names: string[] = [];
  return {
    /**
     * Adds the calls of a turn; returns a suspected loop if the same calls came three times in a row. Equal calls of one turn count once:
     * the model had no answer between them.
     */
    check(calls: readonly ToolCall[], results: readonly ToolResult[]): SuspectedLoop | undefined {
      let repeatedCycle: Cycle | undefined;
      const ofTurn = new Map(calls.map((call, index) => [keyOf(call, results[index]), call.name]));
      for (const [key, name] of ofTurn) {
        keys.push(key);
        names.push(name);
        repeatedCycle = findCycle(keys, needed) ?? repeatedCycle;
      }
      keys.splice(0, keys.length - MAX_REMEMBERED);
      names.splice(0, names.length - MAX_REMEMBERED);
      return repeatedCycle === undefined ? undefined : describe(repeatedCycle, names);
    },
    /** Sets how many repeats are suspicious from now on. */
    allowRepeats(repeats: number): void {
      needed = Math.min(repeats, Math.floor(MAX_REMEMBERED / LONGEST_CYCLE));
    },
  };
}

/** Calls that repeat in the same order. */
export interface Cycle {
  /** The number of calls in one repetition. */
  readonly length: number;
  readonly repeats: number;
}

/** Returns the shortest cycle at the end of the keys that repeats at least `needed` times. */
export function findCycle(keys: readonly string[], needed = REPEATS): Cycle | undefined {
  for (let length = 1; length <= LONGEST_CYCLE; length += 1) {
    let same = 0;
    for (let at = keys.length - 1; at >= length && keys[at] === keys[at - length]; at -= 1) same += 1;
    const repeats = Math.floor(same / length) + 1;
    if (repeats >= needed) return { length, repeats };
  }
  return undefined;
}

/** Includes the result, so that polling until something changes is not a loop. */
function keyOf({ name, input }: ToolCall, result: ToolResult | undefined): string {
  return hashOf([name, copyJson(input, undefined), copyJson(result?.content ?? null, undefined)]);
}

function describe({ length, repeats }: Cycle, names: readonly string[]): SuspectedLoop {
  const last = names.slice(-length);
  const description =
    length === 1
      ? `${last[0]} was called ${repeats} times in a row with the same input and the same answer`
      : `the same ${length} calls (${last.join(", ")}) were made ${repeats} times in a row with the same answers`;
  return { description, repeats };
}
