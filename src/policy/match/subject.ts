import type { CommandReading } from "../../core/command.ts";
import type { CommandFact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { CommandPart } from "./command-part.ts";
import { PathView } from "./match-path.ts";

/** A command of a job, with the parts of its reading that can be trusted. */
export interface CommandView {
  readonly fact: CommandFact;
  /** `unread`: this policy does not read commands. */
  readonly certainty: CommandReading["certainty"] | "unread";
  readonly parts: readonly CommandPart[];
  readonly isReadOnly: boolean;
}

/** A job, with its facts sorted by kind. */
export interface Subject {
  readonly job: Job;
  readonly paths: readonly PathView[];
  readonly commands: readonly CommandView[];
  /** The folded names of all programs that the commands would start; undefined if it may be any program. */
  readonly programs: readonly string[] | undefined;
  readonly hosts: readonly string[];
  readonly isMcp: boolean;
  /** True if the call may touch more than its paths: it has a command, or writes a folder as a whole. */
  readonly isOpenEnded: boolean;
}

const NOTHING: readonly never[] = Object.freeze([]);
const NO_FACTS: Omit<Subject, "job"> = Object.freeze({
  paths: NOTHING,
  commands: NOTHING,
  programs: NOTHING,
  hosts: NOTHING,
  isMcp: false,
  isOpenEnded: false,
});
const NULL_DEVICE = "/dev/null";

/** Sorts the facts of a job. Without `knowledge`, commands are not read. */
export function toSubject(job: Job, knowledge: CommandKnowledge | undefined): Subject {
  if (job.facts.length === 0) return { job, ...NO_FACTS };
  const paths: PathView[] = [];
  const commands: CommandView[] = [];
  const hosts: string[] = [];
  let isMcp = false;
  for (const fact of job.facts) {
    if (fact.kind === "path") paths.push(new PathView(fact));
    else if (fact.kind === "command") commands.push(toCommandView(fact, knowledge));
    else if (fact.kind === "host") hosts.push(fact.host);
    else isMcp = true;
  }
  // Reading or writing it has no effect.
  const real = commands.length === 0 ? paths : paths.filter(({ path }) => path !== NULL_DEVICE);
  const isOpenEnded = commands.length > 0 || paths.some((view) => view.isWrittenFolder);
  return { job, paths: real, commands, programs: programsOf(commands), hosts, isMcp, isOpenEnded };
}

function programsOf(commands: readonly CommandView[]): readonly string[] | undefined {
  if (commands.length === 0) return NOTHING;
  const programs: string[] = [];
  for (const { certainty, parts } of commands) {
    if (certainty === "unread" || certainty === "unreadable") return undefined;
    for (const { program, isBlind, runsCode: hasCode, runsFile } of parts) {
      if (isBlind || hasCode || runsFile) return undefined;
      if (program !== undefined && !programs.includes(program)) programs.push(program);
    }
  }
  return programs;
}

/**
 * Returns true if a part of the command runs code in another language, or a file that another part may have written. A
 * command that is proven read-only starts nothing.
 */
export function runsCode({ parts, isReadOnly }: CommandView): boolean {
  if (isReadOnly) return false;
  if (parts.some((part) => part.runsCode)) return true;
  return parts.some((part) => part.runsFile) && parts.some(({ command }) => command.redirects.some(isWrite));
}

function isWrite({ access }: CommandPart["command"]["redirects"][number]): boolean {
  return access === "write";
}

/** Returns true if every command is proven read-only and the call does nothing else. */
export function isReadOnly({ job, commands, hosts, isMcp }: Subject, workspace: readonly string[]): boolean {
  if (commands.length === 0 || hosts.length > 0 || isMcp) return false;
  return commands.every(
    (one) =>
      one.isReadOnly &&
      // Other tools cannot run a command in a sandbox.
      (one.fact.reading?.box !== "needed" || job.tool.place === "sandbox") &&
      !one.parts.some((part) => readsFolderConfig(part, workspace)),
  );
}

/**
 * Returns true for git outside the workspace folders themselves: git accepts any folder that looks like a repository,
 * such as a downloaded one, and its config can start programs.
 */
export function readsFolderConfig({ program, command }: CommandPart, workspace: readonly string[]): boolean {
  return program === "git" && !command.cwds.every((folder) => workspace.includes(folder));
}

/** Returns the program and arguments of a call that is one command and needs no shell. */
export function provenArgv({ commands }: Subject): readonly string[] | undefined {
  const [only] = commands;
  return commands.length === 1 && only?.certainty === "proven" ? only.fact.reading?.argv : undefined;
}

function toCommandView(fact: CommandFact, knowledge: CommandKnowledge | undefined): CommandView {
  const { reading, interactive } = fact;
  if (reading === undefined) {
    return {
      fact,
      certainty: knowledge === undefined ? "unread" : "unreadable",
      parts: NOTHING,
      isReadOnly: false,
    };
  }
  const { commands, certainty, isReadOnly } = reading;
  const isProven = certainty === "proven" && interactive !== true;
  const mayRead = isReadOnly && fact.outside !== true;
  // Input for a running program may mean anything there: nothing is proven.
  const trusted = certainty === "proven" && !isProven ? "read" : certainty;
  const parts = commands.map((command) => new CommandPart(command, knowledge));
  return { fact, certainty: trusted, parts, isReadOnly: isProven && mayRead };
}
