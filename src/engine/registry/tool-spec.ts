import type { ToolSpec } from "../../core/spec.ts";
import type { ToolEntry } from "../types/tool-entry.ts";

/** Returns the spec of a registered tool as a model may see it, without presets and functions. */
export function specOf({ tool, shown, group }: ToolEntry): ToolSpec {
  const { name, description, output, risk, place, source, effects, limits } = tool;
  return {
    name,
    description,
    input: shown,
    risk,
    place,
    source,
    effects,
    ...(output === undefined ? {} : { output }),
    ...(group === undefined ? {} : { group }),
    ...(limits === undefined ? {} : { limits }),
  };
}
