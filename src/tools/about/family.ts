import type { Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { activateTools } from "./activate-tools.ts";
import { loadSkill } from "./load-skill.ts";
import { readArtifact } from "./read-artifact.ts";
import { searchTools } from "./search-tools.ts";

export interface AboutOptions {
  /** Left out: there are none. */
  readonly skills?: Skills;
}

/** The tools about tools, their answers and what is known about using them. */
export function aboutTools({ skills }: AboutOptions = {}): Tool[] {
  return [searchTools(), activateTools(), readArtifact(), loadSkill(skills)];
}
