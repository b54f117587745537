import { ToolError } from "../../core/errors.ts";
import type { LoadedSkill, Skills } from "../../core/skills.ts";
import { unknownSkill } from "./unknown-skill.ts";

/** The skills of these names, each once. Throws where one cannot be had, or where nobody has trusted it to become instructions. */
export function loadTrustedSkills(names: readonly string[], skills: Skills): Promise<readonly LoadedSkill[]> {
  return Promise.all(
    [...new Set(names)].map(async (name) => {
      const loaded = await skills.load(name);
      if (loaded === undefined) throw await unknownSkill(name, skills);
      if (loaded.skill.isTrusted) return loaded;
      throw new ToolError("DENIED", `nobody has trusted the skill "${name}": it cannot become instructions`, {
        hint: "the user can run toolwright trust; load_skill reads it as it is",
      });
    }),
  );
}
