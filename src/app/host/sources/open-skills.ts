import type { Skills } from "../../../core/skills.ts";
import { createSkills } from "../skills/skills.ts";
import type { Config } from "../../config/config.ts";
import { projectFolder, userFolder } from "../../config/folders.ts";
import type { IsTrusted } from "../../config/files/trust.ts";

/** Returns the skills of the user, then those of the project, of which only trusted ones can become instructions. */
export function openSkills(config: Config, isTrusted: IsTrusted): Skills {
  const project = projectFolder(config, "skills");
  return createSkills([
    { path: userFolder(config, "skills") },
    ...(project === undefined
      ? []
      : [{ path: project, isTrusted: (name: string, hash: string) => isTrusted("skill", name, hash) }]),
  ]);
}
