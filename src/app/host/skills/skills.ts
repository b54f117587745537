import { createHash } from "node:crypto";
import { realpath, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedSkill, Skill, Skills } from "../../../core/skills.ts";
import type { SourceProblem } from "../../../core/source.ts";
import { fileFault, systemCode } from "../../../system/paths/file-fault.ts";
import { readSmallFile } from "../../../system/files/read-document.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { listRunnableNames } from "../../../sources/runnable-names.ts";
import { parseSkill, type Trouble } from "./front-matter.ts";

/** A folder whose folders are skills. */
export interface SkillDirectory {
  /** Each folder in it with a SKILL.md is a skill. */
  readonly path: string;
  /** Called for each skill with the name of its folder and the SHA-256 of its SKILL.md; default: all are trusted. */
  readonly isTrusted?: (name: string, hash: string) => boolean;
}

const FILE = "SKILL.md";
const MAX_BYTES = 256 * 1024;
const MAX_SKILLS = 500;
const SOURCE = "skills";

/**
 * Finds the skills of some folders, read again each time. Of two with the same name the first is used, in the order of the
 * folders, and the other is a problem. Links that lead out of a folder are not followed.
 */
export function createSkills(directories: readonly SkillDirectory[]): Skills {
  const findAll = async (): Promise<{ skills: readonly Found[]; problems: readonly SourceProblem[] }> => {
    const lists = await Promise.all(directories.map(findIn));
    const firsts = new Map<string, Found>();
    const problems: SourceProblem[] = [];
    for (const one of lists.flat()) {
      const first = "skill" in one ? firsts.get(one.skill.name) : undefined;
      if ("trouble" in one) problems.push({ source: SOURCE, subject: one.path, ...one.trouble });
      else if (first !== undefined) problems.push(taken(one, first));
      else firsts.set(one.skill.name, one);
    }
    const skills = [...firsts.values()].toSorted((a, b) => (a.skill.name < b.skill.name ? -1 : 1));
    return { skills, problems };
  };
  return {
    async list() {
      const { skills, problems } = await findAll();
      return { skills: skills.map(({ skill }) => skill), problems };
    },
    async load(name): Promise<LoadedSkill | undefined> {
      const { skills } = await findAll();
      const namedSkill = skills.find(({ skill }) => skill.name === name);
      if (namedSkill === undefined) return undefined;
      const files = await listFiles(namedSkill.skill.folder);
      return { ...namedSkill, files: files.filter((file) => file !== join(namedSkill.skill.folder, FILE)) };
    },
  };
}

interface Found {
  readonly skill: Skill;
  readonly text: string;
}

type Look = Found | { readonly path: string; readonly trouble: Trouble };

async function findIn(directory: SkillDirectory): Promise<readonly Look[]> {
  const { path } = directory;
  try {
    const root = await realpath(path);
    const names = await listRunnableNames(root);
    const looks = await Promise.all(names.slice(0, MAX_SKILLS).map((name) => look(root, name, directory)));
    const entries = looks.filter((one) => one !== undefined);
    if (names.length <= MAX_SKILLS) return entries;
    const message = `it has more than ${MAX_SKILLS} entries: the others are not looked at`;
    return [...entries, { path, trouble: { reason: "too_large", message } }];
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    const { message } = fileFault(error, "read the folder", path);
    return [{ path, trouble: { reason: "failed", message } }];
  }
}

/** Returns undefined for what is not a skill: a file, or a folder without a SKILL.md. */
async function look(
  root: string,
  name: string,
  { isTrusted = () => true }: SkillDirectory,
): Promise<Look | undefined> {
  const path = join(root, name, FILE);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  if (!isWithin(real, root)) {
    const message = `it is a link that leads out of the folder, to ${real}`;
    return { path, trouble: { reason: "untrusted", message } };
  }
  const text = readSmallFile(real, MAX_BYTES);
  if (text === undefined) {
    const message = `it is not a file of at most ${MAX_BYTES / 1024} KB that can be read`;
    return { path, trouble: { reason: "too_large", message } };
  }
  const parsed = await parseSkill(text);
  if ("trouble" in parsed) return { path, trouble: parsed.trouble };
  const folder = await realpath(join(root, name));
  const hash = createHash("sha256").update(text).digest("hex");
  return { skill: { ...parsed.head, folder, isTrusted: isTrusted(name, hash) }, text: parsed.body };
}

function taken({ skill }: Found, first: Found): SourceProblem {
  const message = `the name "${skill.name}" is taken by the skill in ${first.skill.folder}`;
  const hint = "give one of them another name";
  return { source: SOURCE, subject: join(skill.folder, FILE), reason: "name_taken", message, hint };
}

const MAX_FILES = 200;
const MAX_DEPTH = 6;

/** Returns the regular files below a folder, in order, at most 200. Skips hidden files and does not follow links. */
async function listFiles(folder: string, depth = 0): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isFile()) files.push(path);
    if (entry.isDirectory()) files.push(...(await listFiles(path, depth + 1)));
    if (files.length >= MAX_FILES) break;
  }
  return files.slice(0, MAX_FILES);
}
