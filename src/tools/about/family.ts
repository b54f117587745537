import type { Tool } from "../../core/tool.ts";
import { activateTools } from "./activate-tools.ts";
import { searchTools } from "./search-tools.ts";
import { readArtifact } from "./read-artifact.ts";

/** The tools about tools and their answers. */
export function aboutTools(): Tool[] {
  return [searchTools(), activateTools(), readArtifact()];
}
