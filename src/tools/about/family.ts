import type { Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { checkToolOptions } from "../shared/check-tool-options.ts";
import { ACTIVATE_TOOLS, activateTools } from "./activate-tools.ts";
import { LOAD_SKILL, loadSkill } from "./load-skill.ts";
import { READ_ARTIFACT, readArtifact } from "./read-artifact.ts";
import { SEARCH_TOOLS, searchTools } from "./search-tools.ts";

/** The options of `aboutTools`. */
export interface AboutOptions {
  /** Default: none. */
  readonly skills?: Skills;
}

/** Returns the tools about tools, artifacts and skills. */
export function aboutTools(options: AboutOptions = {}): Tool[] {
  checkToolOptions("aboutTools", options);
  return [searchTools(), activateTools(), readArtifact(), loadSkill(options.skills)];
}

/** The tools of this family by name, for `builtIn`. */
export const ABOUT_NAMED = {
  searchTools: SEARCH_TOOLS,
  activateTools: ACTIVATE_TOOLS,
  readArtifact: READ_ARTIFACT,
  loadSkill: LOAD_SKILL,
};
