import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes the folder of a skill, with other files by name; returns its path. */
export function writeSkill(
  folder: string,
  name: string,
  skill: {
    readonly head?: string;
    readonly text?: string;
    readonly files?: Readonly<Record<string, string>>;
  } = {},
): string {
  const { head = `name: ${name}\ndescription: How to ${name}.`, text = `Do ${name}.`, files = {} } = skill;
  const place = join(folder, name);
  for (const [file, content] of Object.entries({ "SKILL.md": `---\n${head}\n---\n\n${text}\n`, ...files })) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), content);
  }
  return place;
}
