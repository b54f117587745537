import type { Json } from "../../core/json.ts";

/** Real schemas reach 82 KB and a depth of some 30. */
const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 200;

/** Why a stranger's schema is not even looked at; undefined where it may be. Also ends on a value that contains itself. */
export function guard(schema: Json): string | undefined {
  const budget = { characters: MAX_CHARACTERS, tooDeep: false };
  spend(schema, MAX_DEPTH, budget);
  if (budget.tooDeep) return `it is nested deeper than ${MAX_DEPTH} levels`;
  return budget.characters < 0 ? `it is longer than ${MAX_CHARACTERS} characters` : undefined;
}

interface Budget {
  characters: number;
  tooDeep: boolean;
}

function spend(value: Json, depth: number, budget: Budget): void {
  budget.characters -= typeof value === "string" ? value.length + 2 : 2;
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) budget.tooDeep = true;
  if (budget.tooDeep || budget.characters < 0) return;
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    budget.characters -= isList ? 1 : key.length + 4;
    spend((value as Readonly<Record<string, Json>>)[key] as Json, depth - 1, budget);
  }
}
