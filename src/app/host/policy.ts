import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { CommandReading, SimpleCommand } from "../../core/command.ts";
import type { ToolError } from "../../core/errors.ts";
import type { AfterUntrustedText, Border, Mode, Policy } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import { systemCode } from "../../system/paths/file-fault.ts";
import { loadFull } from "../../json-schema/compile-schema.ts";
import { createPolicy } from "../../policy/policy.ts";
import { strictestModes } from "../../policy/layers/modes.ts";
import type { Commands } from "../../shell/syntax/command-knowledge.ts";
import { DISASTER_RULES } from "../../shell/programs/disasters/disaster-rules.ts";
import type * as Shell from "../../shell/commands.ts";
import { loadCommandModule } from "./command-modules.ts";

export interface DefaultPolicyOptions {
  readonly mode?: Mode;
  readonly workspace?: readonly string[];
  /** Rules of the host program, above the built-in ones. */
  readonly rules?: readonly Rule[];
  /** Default: deny. */
  readonly border?: Border | undefined;
  /** Default: ask. */
  readonly afterUntrustedText?: AfterUntrustedText | undefined;
  /** Commands that run without approval run in a read-only sandbox, where one works; default: true. */
  readonly usesBoxes?: boolean;
  /** False: no command is read, and no rule allows one; default: true. */
  readonly readsCommands?: boolean;
  /** What `~` stands for in rules and commands. */
  readonly home: string;
}

/** Creates the policy of a library user: the built-in rules and those that are given, no files. Throws on an invalid rule. */
export function createDefaultPolicy(options: DefaultPolicyOptions): Policy {
  const {
    mode = "auto",
    workspace = [],
    rules = [],
    home,
    usesBoxes = true,
    readsCommands = true,
    border,
    afterUntrustedText = "ask",
  } = options;
  return createPolicy({
    mode,
    workspace,
    home,
    border,
    afterUntrustedText,
    ...(readsCommands && {
      commands: createPolicyCommands(home, usesBoxes ? boxesFor(workspace) : () => false),
    }),
    layers: [
      { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
      { name: "host", rules, mayAllow: true },
    ],
  });
}

/** Creates what judges commands when none can be read: without a reader, and each that is not denied is asked about. */
export function createUnreadJudge(
  options: DefaultPolicyOptions,
  { message, hint }: ToolError,
): Policy["judge"] {
  const policy = createDefaultPolicy({ ...options, readsCommands: false });
  return (job, circumstances) => {
    const verdict = policy.judge(job, circumstances);
    if (verdict.kind === "deny") return verdict;
    return {
      kind: "ask",
      reason: `the command cannot be judged: ${message}`,
      rule: "unread-command",
      ungrantable: "a command that was not read is asked about each time",
      ...(hint !== undefined && { hint }),
    };
  };
}

/** Holds the approval mode, which the user can change. */
export function createModeSwitch(first: Mode) {
  let mode = first;
  return {
    current: (): Mode => mode,
    /** Throws `INVALID_INPUT` for an unknown mode. */
    set(next: Mode): void {
      strictestModes([next]);
      mode = next;
    },
  };
}

/** Returns the function that judges by a policy, in the mode that is current at each call. */
export function judgeIn(policy: Policy, currentMode: (() => Mode) | undefined): Policy["judge"] {
  return (job, circumstances) =>
    policy.judge(job, { ...circumstances, ...(currentMode !== undefined && { mode: currentMode() }) });
}

type HasBoxes = () => boolean | Promise<boolean>;

/**
 * Creates the command reader with the tables of programs, which are loaded when the first command is read. With
 * `hasBoxes`, a command that is proven to read counts as such only if read-only sandboxes work, or if it is a basic one. `tries` returns true at the level `read-only`: others are tried in one.
 */
export function createPolicyCommands(userHome: string, hasBoxes?: HasBoxes, tries?: () => boolean): Commands {
  return {
    knowledge: {
      describe: (command) => shell().describeCommand(command),
      knows: (program) => shell().findProgram(program) !== undefined,
      isRunner: (program) => shell().isRunner(program),
      runsCode: (program) => shell().runsCode(program),
      flags: (program, words) => shell().flagsOf(program, words),
      disaster: (commands, text) => shell().findDisaster(commands, text, userHome),
    },
    async read(fact) {
      const { readCommand, readsInBox, mayBeTried, isBasic, showsMachine } = await loadShell();
      const reading = readCommand(fact, userHome);
      if (hasBoxes === undefined) return reading;
      if (reading.isReadOnly) return addBox(reading, { isBasic, showsMachine, hasBoxes, userHome });
      const unproven = await addGitFiles(reading, userHome);
      const isHeld = readsInBox(fact, userHome);
      const isTried = tries?.() === true && mayBeTried(reading);
      if (!(isHeld || isTried) || !(await hasBoxes())) return unproven;
      return {
        ...unproven,
        ...(isHeld && { readsInBox: true, box: "needed" }),
        ...(isTried && { mayBeTried: true }),
      };
    },
  };
}

/** Shared by all policies of the process: what one has read, another may judge after the mode was changed. */
let loadedShell: typeof Shell | undefined;

async function loadShell(): Promise<typeof Shell> {
  return (loadedShell ??= await loadCommandModule("shell"));
}

function shell(): typeof Shell {
  if (loadedShell === undefined) throw new TypeError("a command must be read before it is judged");
  return loadedShell;
}

async function addBox(
  read: CommandReading,
  {
    isBasic,
    showsMachine,
    hasBoxes,
    userHome,
  }: { readonly hasBoxes: HasBoxes; readonly userHome: string } & Pick<
    typeof Shell,
    "isBasic" | "showsMachine"
  >,
): Promise<CommandReading> {
  const reading = await addGitFiles(read, userHome);
  if (!reading.isReadOnly) return reading;
  const isSimple =
    reading.folderPrograms === undefined &&
    reading.commands.every((command) => isBasic(command) || showsMachine(command)) &&
    !(await comparesFolders(reading.commands));
  const isOfMachine = reading.commands.some(showsMachine);
  if (isOfMachine && !isSimple) return { ...reading, isReadOnly: false };
  if (!isOfMachine && (await hasBoxes())) return { ...reading, box: isSimple ? "useful" : "needed" };
  if (!isSimple) return { ...reading, isReadOnly: false };
  // Loaded on use, because a sandbox works on most machines.
  const { findsProtected } = await loadCommandModule("findsProtected");
  return (await findsProtected(reading.commands, userHome)) ? { ...reading, isReadOnly: false } : reading;
}

/** Returns true if `diff` may be given a folder: it reads the files in it, also through links. */
async function comparesFolders(commands: readonly SimpleCommand[]): Promise<boolean> {
  const compared = commands.filter(({ words }) => words[0]?.text === "diff");
  const paths = compared.flatMap(({ words, cwds }) =>
    words.slice(1).flatMap(({ text }) => (/^-./.test(text) ? [] : cwds.map((cwd) => resolve(cwd, text)))),
  );
  if (compared.some(({ cwds }) => cwds.length === 0)) return true;
  if (paths.length === 0) return false;
  const statResults = await Promise.allSettled(paths.map((path) => stat(path)));
  // What does not exist is no folder: no part of a command that only reads creates it.
  return statResults.some((one) =>
    one.status === "fulfilled" ? !one.value.isFile() : systemCode(one.reason) !== "ENOENT",
  );
}

/** Adds what the files of a repository make git start and print. */
async function addGitFiles(reading: CommandReading, userHome: string): Promise<CommandReading> {
  if (!/\bgit\b/.test(reading.commands.map(({ words }) => words[0]?.text).join(" "))) return reading;
  // Loaded on first use, because most commands are not git.
  const { findFolderPrograms } = await loadCommandModule("folderPrograms");
  const { changedSecrets } = await loadCommandModule("changedSecrets");
  const folderPrograms = await findFolderPrograms(reading.commands);
  const secrets = changedSecrets(reading.commands, userHome);
  return {
    ...reading,
    ...(secrets === undefined ? { isReadOnly: false } : { paths: [...reading.paths, ...secrets] }),
    ...(folderPrograms !== undefined && { folderPrograms }),
  };
}

/** Returns a check whether read-only sandboxes work for this workspace; it is made when it is first needed. */
export function boxesFor(workspace: readonly string[]): HasBoxes {
  return async () => {
    if (workspace.includes("/")) return false;
    // Loaded on first use, because most processes run no command.
    const { probeBoxes } = await loadCommandModule("box");
    return (await probeBoxes()).works;
  };
}

/** Loads what commands and rare calls need: a process that runs for long must not depend on files that an update of the package replaces. */
export async function loadCommandModules(): Promise<void> {
  await Promise.allSettled([
    loadShell(),
    loadCommandModule("box"),
    loadCommandModule("folderPrograms"),
    loadCommandModule("hardenedEnvironment"),
    loadCommandModule("changedSecrets"),
    loadCommandModule("findsProtected"),
    import("../../engine/answer/collect.ts"),
    import("../../engine/answer/large.ts"),
    import("../../engine/call/ask-approver.ts"),
    import("../../engine/pipeline/ask.ts"),
    import("../../engine/pipeline/run-after-hooks.ts"),
    import("../../engine/pipeline/resume.ts"),
    import("../../system/paths/paths.ts"),
    import("../../util/json/repair-json.ts"),
    loadFull(),
  ]);
}
