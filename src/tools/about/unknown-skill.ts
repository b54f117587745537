import { ToolError } from "../../core/errors.ts";
import type { Skills } from "../../core/skills.ts";
import { nearNames } from "../../util/text/near-names.ts";

const MAX_NAMES = 30;

/** Creates the error for an unknown skill, with similar names and the number of broken skills. */
export async function unknownSkill(name: string, skills: Skills): Promise<ToolError> {
  const { skills: known, problems } = await skills.list();
  const names = known.map((skill) => skill.name);
  const near = nearNames(name, names);
  const broken = problems.length === 0 ? "" : `; skills that cannot be used: ${problems.length}`;
  return new ToolError("TOOL_FAILED", `unknown skill ${JSON.stringify(name)}`, {
    hint: near.length > 0 ? `did you mean ${near.join(" or ")}?` : `${hintOf(names)}${broken}`,
    details: { skill: name, near },
  });
}

function hintOf(names: readonly string[]): string {
  if (names.length === 0) return "no skills are available";
  const more = names.length > MAX_NAMES ? ", and more" : "";
  return `skills: ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}
