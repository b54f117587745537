import { isObject, type Json, type JsonSchema } from "../../core/json.ts";
import { resolveLocal } from "../shared/pointer.ts";

/** Far more often than any real schema checks one value. */
const MOST = 100_000;

/** Returns true if references multiply, each step following the next one twice, so that one check would never end. */
export function growsWithoutMeasure(schema: JsonSchema): boolean {
  const known = new Map<string, number>();
  const follow = (reference: string): number => {
    const found = known.get(reference);
    if (found !== undefined) return found;
    // A cycle counts once: how often it is followed depends on the value.
    known.set(reference, 1);
    const looks = count(resolveLocal(schema, reference));
    known.set(reference, looks);
    return looks;
  };
  /** Counts how often a schema, and all that it applies to the same value, checks one value. */
  const count = (part: Json | undefined): number => {
    if (!isObject(part)) return 1;
    const reference = part["$ref"];
    let looks = typeof reference === "string" ? 1 + follow(reference) : 1;
    for (const keyword of SAME_VALUE) {
      const inner = part[keyword];
      const parts = Array.isArray(inner) ? (inner as readonly Json[]) : inner === undefined ? [] : [inner];
      for (const each of parts) looks = Math.min(MOST + 1, looks + count(each));
    }
    return looks;
  };
  return everySchema(schema).some((part) => count(part) > MOST);
}

const SAME_VALUE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/** Returns every object inside, schema or not: rather too many than too few. */
function everySchema(schema: Json): readonly Json[] {
  const found: Json[] = [];
  const open: Json[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null) continue;
    if (!Array.isArray(part)) found.push(part);
    open.push(...Object.values(part));
  }
  return found;
}
