import type { Tool } from "../../core/tool.ts";
import { readArtifact } from "./read-artifact.ts";

/** The tools about tools and their answers. */
export function aboutTools(): Tool[] {
  return [readArtifact()];
}
