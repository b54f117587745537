import type { ToolCall } from "../../core/call.ts";
import type { ToolResult } from "../../core/result.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { copyJson } from "../../util/json/copy-json.ts";

/** A task that seems to go in circles. */
export interface Suspicion {
  /** For people and for the model. */
  readonly description: string;
  /** How often the circle was gone through. */
  readonly repeats: number;
}

/** Watches the calls of one task. It only ever says what it sees: what becomes of it others decide. */
export interface LoopGuard {
  /** Looks at what was called and answered; a suspicion where the same came three times, one after the other. */
  see(calls: readonly ToolCall[], results: readonly ToolResult[]): Suspicion | undefined;
  /** From now on only this many repeats are suspicious. */
  wait(repeats: number): void;
}

/** So many times the same is a circle. */
const REPEATS = 3;
const LONGEST_CIRCLE = 5;
/** What was called before the last so many calls is forgotten. */
const MAX_REMEMBERED = 1000;

export function createLoopGuard(): LoopGuard {
  let needed = REPEATS;
  const keys: string[] = [];
  const names: string[] = [];
  return {
    see(calls, results) {
      let found: Circle | undefined;
      for (const [index, call] of calls.entries()) {
        keys.push(keyOf(call, results[index]));
        names.push(call.name);
        found = findCircle(keys, needed) ?? found;
      }
      keys.splice(0, keys.length - MAX_REMEMBERED);
      names.splice(0, names.length - MAX_REMEMBERED);
      return found === undefined ? undefined : describe(found, names);
    },
    wait(repeats) {
      needed = Math.min(repeats, Math.floor(MAX_REMEMBERED / LONGEST_CIRCLE));
    },
  };
}

/** Calls that come again and again in the same order. */
export interface Circle {
  /** Of how many calls one round consists. */
  readonly length: number;
  readonly repeats: number;
}

/** The shortest circle that a row of keys ends with, gone through at least so often; none where there is none. */
export function findCircle(keys: readonly string[], needed = REPEATS): Circle | undefined {
  for (let length = 1; length <= LONGEST_CIRCLE; length += 1) {
    let same = 0;
    for (let at = keys.length - 1; at >= length && keys[at] === keys[at - length]; at -= 1) same += 1;
    const repeats = Math.floor(same / length) + 1;
    if (repeats >= needed) return { length, repeats };
  }
  return undefined;
}

/** The same for a call with the same input that was answered with the same: one that polls changes its answer when there is news. */
function keyOf({ name, input }: ToolCall, result: ToolResult | undefined): string {
  return hashOf([name, copyJson(input, undefined), copyJson(result?.content ?? null, undefined)]);
}

function describe({ length, repeats }: Circle, names: readonly string[]): Suspicion {
  const round = names.slice(-length);
  const description =
    length === 1
      ? `${round[0]} was called ${repeats} times in a row with the same input and the same answer`
      : `the same ${length} calls (${round.join(", ")}) were made ${repeats} times in a row with the same answers`;
  return { description, repeats };
}
