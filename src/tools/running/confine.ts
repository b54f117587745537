import { dirname } from "node:path/posix";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { CommandFact } from "../../core/fact.ts";
import type { SimpleCommand } from "../../core/command.ts";
import { HiddenPaths, ProtectedPaths } from "../../core/session/hidden-paths.ts";
import { defined } from "../../util/json/defined.ts";
import { intoBox } from "../../system/box/box.ts";
import { readOnlyBox, repositoryAround } from "../../system/box/read-only-box.ts";
import { isOpenToAll } from "../../system/paths/system-file.ts";
import { isSystemPath } from "../../util/text/paths/system-path.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { startsGit } from "../../system/git/folder-programs.ts";
import { opensUntracked } from "../../system/git/opens-untracked.ts";
import type { Captured } from "../../system/process/capture.ts";
import { launched } from "../../system/process/launched.ts";
import type { ProcessOptions } from "../../system/process/process.ts";
import { commandFactOf } from "../shared/facts.ts";
import { WITHOUT_PROTECTED, findHidden } from "./find-hidden.ts";
import type { RunningOptions } from "./options.ts";
import { proxied } from "./proxied.ts";
import type { CommandOutcome } from "./shell-answer.ts";

/** A program and how to start it. */
export type Program = Pick<ProcessOptions, "file" | "args" | "cwd" | "env" | "inputs" | "namedPipes">;

/** Returns the environment of the judged command; git in it is hardened if it must not obey the files of the folder. */
export async function environmentOf(
  context: ToolContext,
  environment: Program["env"],
): Promise<Program["env"]> {
  const { place, reading, isGuarded } = commandFactOf(context);
  // A command in a read-only sandbox has no network.
  const own = place === "sandbox" ? environment : await proxied(environment, context);
  if (isGuarded !== true || reading === undefined) return own;
  if (!startsGit(reading.commands)) return own;
  const { hardenGit } = await import("./harden-git.ts");
  return hardenGit(own);
}

/** Returns the program of a command as it is started: in a read-only sandbox, if it must run in one (see `Verdict.place`). */
export async function confine(
  program: Program,
  { root, roots = [], home, stateFolders = [], launcher }: Omit<RunningOptions, "limits">,
  context: ToolContext,
): Promise<Program> {
  const fact = commandFactOf(context);
  if (fact.place !== "sandbox") return launched(program, launcher);
  const { file, args = [], env, namedPipes } = program;
  const workspace = [root, ...roots];
  const isHidden = context.find(HiddenPaths);
  const usesGit = fact.reading !== undefined && startsGit(fact.reading.commands);
  const repositories = usesGit ? workspace.flatMap((folder) => repositoryAround(folder, home)) : [];
  const named = context.facts.flatMap((one) => (one.kind === "path" && one.access === "read" ? [one] : []));
  const folders = named.flatMap(({ path, inode, size }) =>
    inode === undefined || size !== undefined || isShownAnyway(path, fact, workspace) ? [] : [path],
  );
  const visibleFolders = [...repositories, ...workspace];
  const denied =
    isHidden === undefined
      ? []
      : await findHidden(
          [...visibleFolders, ...folders.filter((one) => !isHidden(one))],
          isHidden,
          context.signal,
        );
  const secret = await findProtected(fact, [...visibleFolders, ...folders], context);
  const ofOthers = await findUnreadable(folders, context.signal);
  const box = readOnlyBox({
    workspace,
    paths: named.flatMap(({ path, isSystem, names = [] }) => (isSystem === true ? [path, ...names] : [path])),
    home,
    searchPath: env["PATH"] ?? "",
    hidden: [...stateFolders, ...denied, ...secret, ...ofOthers],
    repositories,
  });
  const boxed = await intoBox({ file, args, cwd: fact.cwd, environment: env }, box);
  return {
    file: boxed.file,
    args: boxed.args,
    cwd: boxed.cwd,
    env: boxed.environment,
    ...defined({ inputs: boxed.inputs, namedPipes }),
  };
}

/** Returns true for a folder that is searched with the workspace, and for one of the system in which the command opens only what it names. */
function isShownAnyway(path: string, { reading }: CommandFact, workspace: readonly string[]): boolean {
  if (workspace.some((one) => isWithin(path, one))) return true;
  if (!isSystemPath(path) || isWithin(path, "/etc")) return false;
  return reading?.commands.every(opensOnlyNamed) === true;
}

/** Returns the files in folders of the system that not every user may read: only the readable ones run without approval. */
async function findUnreadable(folders: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const isClosed = (path: string): boolean => path !== "/" && (!isOpenToAll(path) || isClosed(dirname(path)));
  return findHidden(folders.filter(isSystemPath), isClosed, signal);
}

/** Returns the protected files that a command may open though it does not name them: then policy has not judged them. */
async function findProtected(
  { reading }: CommandFact,
  folders: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const isProtected = context.find(ProtectedPaths);
  if (isProtected === undefined || reading?.commands.every(opensOnlyNamed) === true) return [];
  // A protected folder that the command names was judged by its name.
  const searched = folders.filter((one) => !isProtected(one));
  return findHidden(searched, isProtected, context.signal, WITHOUT_PROTECTED);
}

/** Programs that open the files that their arguments name, and no others. git also shows what it has stored, which is in the sandbox anyway. */
const OPEN_NAMED: ReadonlySet<string> = new Set(
  "git pwd cd echo printf true false date whoami id uname basename dirname realpath readlink which test [ ls tree find du df stat cat head tail nl cut tr uniq sed".split(
    " ",
  ),
);

function opensOnlyNamed(command: SimpleCommand): boolean {
  const { words, via } = command;
  const name = words[0]?.text ?? "true";
  if (via.length > 0 || !OPEN_NAMED.has(name) || words.some(({ literal }) => !literal)) return false;
  return name !== "git" || !opensUntracked(command);
}

/** Returns a note for a command that failed with a message, perhaps because of the sandbox; none for others. */
export function confinementNotes(
  { place }: CommandFact,
  { exitCode }: CommandOutcome,
  { stderr }: Captured,
): readonly string[] {
  return place !== "sandbox" || exitCode === 0 || stderr.text === "" ? [] : [NOTE];
}

const NOTE =
  "[it ran in a read-only sandbox without network; if it failed because of that, outside_sandbox: true asks for approval to run it outside]";

/** Characters that a command in a sandbox may print: no person approved it, and a device may be endless. */
export const MAX_SANDBOX_OUTPUT = 64 * 1024 * 1024;

export function tooMuchOutput(): ToolError {
  return new ToolError("TOOL_FAILED", "the command was ended: it printed over 64 MB", {
    hint: "read less of it, for example with head, or use outside_sandbox: true to ask for approval",
  });
}
