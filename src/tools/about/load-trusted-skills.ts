import { ToolError } from "../../core/errors.ts";
import type { LoadedSkill, Skills } from "../../core/skills.ts";
import { unknownSkill } from "./unknown-skill.ts";

/** Loads the skills of these names, each once. Throws if one is unknown or untrusted. */
export function loadTrustedSkills(names: readonly string[], skills: Skills): Promise<readonly LoadedSkill[]> {
  return Promise.all(
    [...new Set(names)].map(async (name) => {
      const loaded = await skills.load(name);
      if (loaded === undefined) throw await unknownSkill(name, skills);
      if (loaded.skill.isTrusted) return loaded;
      throw new ToolError("DENIED", `the skill "${name}" is not trusted and cannot be used as instructions`, {
        hint: "the user can run toolwright trust; load_skill reads it as data",
      });
    }),
  );
}
