import type { Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { activateTools } from "./activate-tools.ts";
import { loadSkill } from "./load-skill.ts";
import { readArtifact } from "./read-artifact.ts";
import { searchTools } from "./search-tools.ts";

export interface AboutOptions {
  /** Default: none. */
  readonly skills?: Skills;
}

/** Returns the tools about tools, artifacts and skills. */
export function aboutTools({ skills }: AboutOptions = {}): Tool[] {
  return [searchTools(), activateTools(), readArtifact(), loadSkill(skills)];
}
