import type { SourceProblem } from "./source.ts";

/** Instructions for one kind of task, in a folder of their own. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Canonical. */
  readonly folder: string;
  /** Groups of tools that it works with. */
  readonly groups: readonly string[];
  /** Single tools that it works with. */
  readonly tools: readonly string[];
  /** False for a skill of an untrusted project: it may be read, but never becomes instructions. */
  readonly isTrusted: boolean;
}

export interface LoadedSkill {
  /** As `list` has it. */
  readonly skill: Skill;
  /** The instructions, without the front matter. */
  readonly text: string;
  /** Canonical paths of the other files of its folder. */
  readonly files: readonly string[];
}

/** The skills that are available now. */
export interface Skills {
  /** Returns the skills by name, and those that cannot be used as problems. */
  list(): Promise<{ readonly skills: readonly Skill[]; readonly problems: readonly SourceProblem[] }>;
  /** Returns undefined if no skill has that name. */
  load(name: string): Promise<LoadedSkill | undefined>;
}

/** No skills. */
export const NO_SKILLS: Skills = {
  list: () => Promise.resolve({ skills: [], problems: [] }),
  load: () => Promise.resolve(undefined),
};
