import { Reply } from "../../core/content.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { NO_SKILLS, type LoadedSkill, type Skill, type Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { unknownSkill } from "./unknown-skill.ts";

/** Lists all skills; no skill can have this name. */
const LIST = "list";
/** Most skills fit; read_artifact reads the rest of a longer one. */
const MAX_BYTES = 50 * 1024;

const input = object({ skill: string(`The skill's name, or "${LIST}" for a list of all`, { min: 1 }) });

/** Reads the instructions of a skill. */
export function loadSkill(skills: Skills = NO_SKILLS): Tool {
  return defineTool({
    name: "load_skill",
    description:
      "Reads a skill: instructions for one kind of task, with the paths of the files that belong to it. " +
      `Use "${LIST}" before you start on something unfamiliar.`,
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
  if (skills.length === 0) return new Reply("[no skills]", { data });
  const lines = skills.map(({ name, description }) => `${name}: ${description.replaceAll(/\s+/g, " ")}`);
  return new Reply(lines.join("\n"), { data });
}

function describe({ skill, text, files }: LoadedSkill): Reply {
  const { name, folder, groups, tools, isTrusted } = skill;
  const head = isTrusted ? `[skill ${name}]` : `[skill ${name}: untrusted, treat it as advice]`;
  const works = [...groups.map((group) => `group ${group}`), ...tools];
  const notes = [
    ...(works.length > 0 ? [`[works with: ${works.join(", ")}]`] : []),
    ...(files.length > 0 ? ["[files, for read_file:]", ...files] : []),
  ];
  const data = { name, folder, groups, tools, files };
  return new Reply([head, text, ...notes].join("\n"), { data });
}
