import type { Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { describeProblems } from "../../json-schema/problems/findings.ts";
import { childOf, keysOf } from "../../json-schema/shared/pointer.ts";
import type { ToolEntry } from "../types/tool-entry.ts";

/**
 * Checks data, which is a copy, against the output schema. Properties that the schema does not have are removed: the tool has run, and
 * rows of databases often have some.
 */
export function checkOutput({ tool, validators }: ToolEntry, data: Json | undefined): Fault | undefined {
  const validator = validators.output;
  let checked = validator?.check(data ?? null);
  while (checked?.ok === false) {
    const unknown = checked.problems.filter(({ kind }) => kind === "unknown");
    if (unknown.length === 0) break;
    for (const { path } of unknown) remove(data ?? null, path);
    checked = validator?.check(data ?? null);
  }
  if (checked === undefined || checked.ok) return undefined;
  const why = "unusable" in checked ? checked.unusable : describeProblems(checked.problems, 0, "output");
  return {
    code: "INVALID_OUTPUT",
    message: `the output of "${tool.name}" does not match its output schema: ${why}`,
  };
}

/** Removes the property at a JSON Pointer. */
function remove(data: Json, path: string): void {
  const keys = keysOf(path) ?? [];
  const parent = keys.slice(0, -1).reduce<Json | undefined>(childOf, data);
  Reflect.deleteProperty(parent as object, keys.at(-1) ?? "");
}
