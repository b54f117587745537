import type { SimpleCommand, Word } from "../../../core/command.ts";
import type { Disaster } from "../../syntax/command-knowledge.ts";
import { baseName } from "../../syntax/shell-arguments.ts";
import { flagsOf } from "../canonical-flags.ts";
import { isForkBomb } from "./fork-bomb.ts";
import { describeCommand } from "../describe-command.ts";
import { runsDownload } from "./runs-download.ts";
import { isDisk, isEverythingHere, isRuinous, type Place } from "./ruinous-targets.ts";

/**
 * Returns the first disaster in the commands of a text, at every depth; denied ones first. Finds what rules cannot express:
 * targets that ruin a machine, and combinations of commands. `home` is the home folder of the user.
 */
export function findDisaster(
  commands: readonly SimpleCommand[],
  text: string,
  home?: string,
): Disaster | undefined {
  let first: Disaster | undefined;
  for (const command of commands) {
    const disaster = disasterOf(command, { cwds: command.cwds, home });
    if (disaster?.decision === "deny") return disaster;
    first ??= disaster;
  }
  if (isForkBomb(commands, text)) return FORK_BOMB;
  return first ?? (runsDownload(commands) ? DOWNLOAD : undefined);
}

const FORK_BOMB = deny("fork-bomb", "it is a fork bomb: a function that starts itself without end");
const DOWNLOAD = ask("download-to-shell", "it runs a download without review");
const REMOVES_SYSTEM = deny("remove-system", "it removes the root, a home or a system folder");
const REMOVES_EVERYTHING = ask("remove-everything-here", "it removes everything in the folder");
const OPENS_SYSTEM = deny(
  "change-system-rights",
  "it changes the owner or permissions of the root, a home or a system folder",
);
const WRITES_DISK = deny("write-disk", "it writes directly to a disk or to the kernel");
const FORMATS_DISK = deny("format", "it erases a disk");
const REMOVES_UNKNOWN = ask("remove-unknown", "it removes the root if the variable is empty");
const ENDS_EVERYTHING = deny("kill-everything", "it kills every process, or process 1");

function deny(id: string, reason: string): Disaster {
  return { id: `disaster.${id}`, decision: "deny", reason };
}

function ask(id: string, reason: string): Disaster {
  return { id: `disaster.${id}`, decision: "ask", reason };
}

type Finder = (words: readonly Word[], place: Place) => Disaster | undefined;

const FINDERS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ["rm", removal],
  ["grm", removal],
  ["srm", removal],
  ["shred", removal],
  ["find", findRemoval],
  ["mv", move],
  ["chmod", permissionChange],
  ["chown", permissionChange],
  ["chgrp", permissionChange],
  ["kill", kill],
]);

const FORMATTER = /^(?:mkfs|newfs)(?:[._].+)?$|^(?:mke2fs|mkdosfs|mkntfs|mkswap|wipefs|blkdiscard)$/;

function disasterOf(command: SimpleCommand, place: Place): Disaster | undefined {
  const { words, redirects } = command;
  const name = baseName(words[0]?.text ?? "").toLowerCase();
  if (FORMATTER.test(name)) return FORMATS_DISK;
  const disaster = FINDERS.get(name)?.(words.slice(1), place);
  if (disaster !== undefined) return disaster;
  if (!words.some(namesDevice) && !redirects.some(({ target }) => namesDevice(target))) return undefined;
  const { paths } = describeCommand(command);
  return paths.some(({ access, text, cwd }) => access === "write" && isDisk(text, cwd))
    ? WRITES_DISK
    : undefined;
}

function namesDevice({ text }: Word): boolean {
  return text.includes("dev") || text.includes("proc");
}

function removal(words: readonly Word[], place: Place): Disaster | undefined {
  const { flags, operands } = flagsOf("rm", words);
  if (flags.has("--no-preserve-root")) return REMOVES_SYSTEM;
  if (!flags.has("-r") && !flags.has("-d")) return undefined;
  if (operands.some(({ text }) => isRuinous(text, place))) return REMOVES_SYSTEM;
  if (operands.some(({ text }) => /^\$\{?\w+\}?\/+\*?$/.test(text))) return REMOVES_UNKNOWN;
  return operands.some(({ text }) => isEverythingHere(text)) ? REMOVES_EVERYTHING : undefined;
}

/** Handles `find / -delete`; with a test it removes only some files. */
function findRemoval(words: readonly Word[], place: Place): Disaster | undefined {
  const texts = words.map(({ text }) => text);
  const removes =
    texts.includes("-delete") || texts.some((text) => /(?:^|\/)(?:rm|shred|unlink)$/.test(text));
  if (!removes) return undefined;
  const end = texts.findIndex((text) => /^[-(!]/.test(text) && !FIND_OPTION.test(text));
  const roots = end < 0 ? texts : texts.slice(0, end);
  if (!roots.some((root) => isRuinous(root, place) && !/^\.\/?$/.test(root))) return undefined;
  const isNarrow = texts.some((text) =>
    /^-i?(?:name|path|regex|wholename)$|^-(?:newer|mtime|mmin|size|samefile|user|empty)/.test(text),
  );
  return isNarrow ? { ...REMOVES_SYSTEM, decision: "ask" } : REMOVES_SYSTEM;
}

/** An option of `find` that may precede the folders. */
const FIND_OPTION = /^-(?:[HLP]|D|O\d*)$/;

function move(words: readonly Word[], place: Place): Disaster | undefined {
  const { flags, operands } = flagsOf("mv", words);
  const sources = (flags.has("-t") ? operands : operands.slice(0, -1)).filter(
    ({ text }) => !/^\.{1,2}\/?$/.test(text),
  );
  return sources.some(({ text }) => isRuinous(text, place) && !isEverythingHere(text))
    ? REMOVES_SYSTEM
    : undefined;
}

function permissionChange(words: readonly Word[], place: Place): Disaster | undefined {
  const { flags, operands } = flagsOf("chmod", words);
  if (!flags.has("-R")) return undefined;
  const hasMode = !flags.has("--reference");
  const targets = operands.slice(hasMode ? 1 : 0).filter(({ text }) => !/^\.\/?$/.test(text));
  return targets.some(({ text }) => isRuinous(text, place)) ? OPENS_SYSTEM : undefined;
}

/** Process 1 keeps the machine running; -1 is every process, except as the first argument, where it is a signal. */
function kill(words: readonly Word[]): Disaster | undefined {
  const texts = words.map(({ text }) => text);
  if (/^-(?:0|l|L)$/.test(texts[0] ?? "")) return undefined;
  const isTarget = (text: string, index: number): boolean =>
    /^-?1$/.test(text) && !(index === 0 && text === "-1") && !/^-[sn]$/.test(texts[index - 1] ?? "");
  return texts.some(isTarget) ? ENDS_EVERYTHING : undefined;
}
