import { Reply } from "../../core/content.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import type { LoadedSkill, Skill, Skills } from "../../core/skills.ts";
import { NO_SKILLS } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { unknownSkill } from "./unknown-skill.ts";

/** In place of a name: says which skills there are. No skill can be called so. */
const LIST = "list";
/** Most skills are read whole; the rest of a longer one is kept for read_artifact. */
const MAX_BYTES = 50 * 1024;

const input = object({ skill: string(`The skill's name, or "${LIST}" to see which there are`, { min: 1 }) });

/** Reads the instructions of a skill. */
export function loadSkill(skills: Skills = NO_SKILLS): Tool {
  return defineTool({
    name: "load_skill",
    description:
      "Reads a skill: instructions for one kind of task, with the paths of the files that belong to it. " +
      `Give "${LIST}" to see which skills there are before you start on something unfamiliar.`,
    input,
    risk: "low",
    place: "host",
    source: "built-in",
    group: "about",
    effects: "none",
    limits: { maxBytes: MAX_BYTES },
    attributes: ({ skill }) => ({ skill }),
    async run({ skill }) {
      if (skill === LIST) return describeAll((await skills.list()).skills);
      const loaded = await skills.load(skill);
      if (loaded === undefined) throw await unknownSkill(skill, skills);
      return describe(loaded);
    },
  });
}

function describeAll(skills: readonly Skill[]): Reply {
  const data = { skills: skills.map(({ name, description }) => ({ name, description })) };
  if (skills.length === 0) return new Reply("[there are no skills]", { data });
  const lines = skills.map(({ name, description }) => `${name}: ${description.replaceAll(/\s+/g, " ")}`);
  return new Reply(lines.join("\n"), { data });
}

function describe({ skill, text, files }: LoadedSkill): Reply {
  const { name, folder, groups, tools, isTrusted } = skill;
  const head = isTrusted ? `[skill ${name}]` : `[skill ${name}: nobody has trusted it, so take it as advice]`;
  const works = [...groups.map((group) => `group ${group}`), ...tools];
  const notes = [
    ...(works.length > 0 ? [`[works with: ${works.join(", ")}]`] : []),
    ...(files.length > 0 ? ["[its files, for read_file:]", ...files] : []),
  ];
  const data = { name, folder, groups, tools, files };
  return new Reply([head, text, ...notes].join("\n"), { data });
}
