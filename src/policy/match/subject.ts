import type { Border } from "../../core/policy.ts";
import type { Job } from "../../core/job.ts";
import type { CommandKnowledge } from "../../shell/syntax/command-knowledge.ts";
import { isSystemPath } from "../../util/text/paths/system-path.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import type { CommandPart } from "./command-part.ts";
import { CommandView } from "./command-view.ts";
import { PathView } from "./match-path.ts";

/** A job, with its facts sorted by kind. */
export interface Subject {
  readonly job: Job;
  readonly paths: readonly PathView[];
  readonly commands: readonly CommandView[];
  /** The parts of all commands. */
  readonly parts: readonly CommandPart[];
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
  parts: NOTHING,
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
  const parts: CommandPart[] = [];
  const hosts: string[] = [];
  let isMcp = false;
  for (const fact of job.facts) {
    if (fact.kind === "path") paths.push(new PathView(fact));
    else if (fact.kind === "command") commands.push(new CommandView(fact, knowledge));
    else if (fact.kind === "host") hosts.push(fact.host);
    else isMcp = true;
  }
  for (const view of commands) for (const part of view.parts) parts.push(part);
  // Reading or writing it has no effect.
  const real = commands.length === 0 ? paths : paths.filter(({ path }) => path !== NULL_DEVICE);
  const isOpenEnded = commands.length > 0 || paths.some((view) => view.isWrittenFolder);
  const programs = programsOf(commands, parts, real);
  return { job, paths: real, commands, parts, programs, hosts, isMcp, isOpenEnded };
}

function programsOf(
  commands: readonly CommandView[],
  parts: readonly CommandPart[],
  paths: readonly PathView[],
): readonly string[] | undefined {
  if (commands.length === 0) return NOTHING;
  // With another PATH, a name may be that of a file which the command writes.
  if (
    commands.some(
      ({ isUnknown, fact: { reading, text } }) =>
        isUnknown || reading?.runsUnknown === true || text.includes("PATH"),
    )
  )
    return undefined;
  const programs: string[] = [];
  for (const { program, isBlind, runsCode, runsFile, isKnown, mayTakeCommand } of parts) {
    if (isBlind || runsCode || runsFile || mayTakeCommand || !isKnown) return undefined;
    if (program !== undefined && !programs.includes(program)) programs.push(program);
  }
  // A program may be started under another name that the command gives it.
  for (const view of paths) {
    for (const name of systemNames(view)) {
      if (name === undefined) return undefined;
      if (!programs.includes(name)) programs.push(name);
    }
  }
  return programs;
}

/** Returns the folded last names of a path of the operating system; undefined for a pattern that may expand to any. */
export function systemNames(view: PathView): readonly (string | undefined)[] {
  return [view, ...view.others].flatMap(({ path, folded }) => {
    if (!isSystemPath(path)) return [];
    const name = folded.slice(folded.lastIndexOf("/") + 1);
    return [view.isSuspected && /[*?[{]/.test(name) ? undefined : name];
  });
}

/** Returns true if every command is proven read-only and the call does nothing else. */
export function isReadOnly(
  { job, paths, commands, hosts, isMcp }: Subject,
  { workspace, border }: { readonly workspace: readonly string[]; readonly border: Border },
): boolean {
  if (commands.length === 0 || hosts.length > 0 || isMcp) return false;
  if (paths.some(({ access }) => access === "write")) return false;
  return commands.every(
    (one) =>
      (one.isReadOnly || one.readsInBox) &&
      // Other tools cannot run a command in a sandbox.
      (one.fact.reading?.box !== "needed" || job.tool.place === "sandbox") &&
      // Folders outside the workspace are a question of their own, but git never runs in one without approval.
      one.parts.every((part) =>
        border === "ask" && part.program !== "git"
          ? part.command.cwds.length > 0
          : staysInside(part, workspace),
      ),
  );
}

/**
 * Returns true if the call does nothing but change files in the workspace, which mode `edits` allows. Only tools of this program
 * are believed to do no more than their facts say; deleting files and replacing a folder as a whole are more than a change.
 */
export function isFileEdit(subject: Subject, workspace: readonly string[]): boolean {
  const { job, paths, commands, hosts, isMcp, isOpenEnded } = subject;
  if (job.risk !== "medium" || !isOwnTool(job)) return false;
  if (commands.length > 0 || hosts.length > 0 || isMcp || isOpenEnded) return false;
  const isInside = ({ path, isSuspected }: PathView): boolean =>
    !isSuspected && workspace.some((folder) => isWithin(path, folder));
  return paths.some(({ access }) => access === "write") && paths.every(isInside);
}

/** Returns true for a call of a built-in tool, or one that a library user defines. */
export function isOwnTool({ tool }: Job): boolean {
  return OWN_SOURCES.has(tool.source);
}

const OWN_SOURCES: ReadonlySet<string> = new Set(["built-in", "app"]);

/**
 * Returns true if a command runs only in the workspace; git only in the workspace folders themselves: it accepts any folder
 * that looks like a repository, such as a downloaded one, and its config can start programs.
 */
export function staysInside(
  { program, command: { cwds } }: CommandPart,
  workspace: readonly string[],
): boolean {
  if (program === "git") return cwds.length > 0 && cwds.every((folder) => workspace.includes(folder));
  return cwds.length > 0 && cwds.every((cwd) => workspace.some((folder) => isWithin(cwd, folder)));
}

/** Returns the program and arguments of a call that is one command and needs no shell. */
export function provenArgv({ commands }: Subject): readonly string[] | undefined {
  const [only] = commands;
  return commands.length === 1 && only?.certainty === "proven" ? only.fact.reading?.argv : undefined;
}
