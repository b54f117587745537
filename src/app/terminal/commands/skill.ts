import type { Skills } from "../../../core/skills.ts";
import { alignRows } from "../print/align-rows.ts";
import { firstSentence } from "../../../util/text/shortened.ts";
import { visible } from "../../../util/text/visible.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import type { SlashCommand } from "./slash-command.ts";

/** Lists the skills, or shows one as an agent would read it. */
export function skillCommand(skills: Skills): SlashCommand {
  return {
    name: "skill",
    summary: "list the skills, or show one",
    usage: "[NAME]",
    complete: async () => (await skills.list()).skills.map(({ name }) => name),
    async run(args, world) {
      const name = args.trim();
      await world.print(name === "" ? await listOf(skills) : await pageOf(name, skills));
    },
  };
}

async function listOf(skills: Skills): Promise<string> {
  const { skills: known, problems } = await skills.list();
  const rows = known.map(({ name, description, isTrusted }) => [
    visible(name),
    `${visible(firstSentence(description))}${isTrusted ? "" : " (not trusted: toolwright trust)"}`,
  ]);
  const list = rows.length === 0 ? "there are no skills\n" : alignRows(rows);
  return problems.length === 0
    ? list
    : `${list}Problems: ${problems.length}, see toolwright tools --problems\n`;
}

async function pageOf(name: string, skills: Skills): Promise<string> {
  const loaded = await skills.load(name);
  if (loaded !== undefined) {
    const { skill, text } = loaded;
    return `${visible(skill.name)}  ${visible(skill.folder)}\n\n${visible(text).trimEnd()}\n`;
  }
  const names = (await skills.list()).skills.map((skill) => skill.name);
  throw unknownName(`there is no skill ${JSON.stringify(name)}`, name, names, "/skill lists them");
}
