import { baseName } from "../../shell/syntax/shell-arguments.ts";
import { isWithoutStorage, type CommandPart } from "./command-part.ts";
import { namesIn } from "./words-in.ts";

/** Programs that change no content of the files they name, or only start what is judged separately. */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(
  (
    "chmod chown chgrp chattr setfacl touch mkdir rmdir rm unlink test [ [[ kill cd pushd popd export set unset read " +
    "echo printf true false : sleep exit return"
  ).split(" "),
);
const GIT_WITHOUT_CONTENT: ReadonlySet<string> = new Set(
  "add commit push fetch status log diff show branch tag remote rm".split(" "),
);

/** Programs that choose the names of the files they write by their input. */
const CHOOSES_NAMES: ReadonlySet<string> = new Set(
  "split csplit tar gtar bsdtar cpio pax unzip uudecode patch ar 7z 7za 7zr rsync shar git jar ed ex".split(
    " ",
  ),
);

/** The files that a command writes with a content that may come from its own text, by their base names. */
export interface WrittenFiles {
  readonly byRedirect: ReadonlySet<string>;
  /** The name of one that a redirect writes is unknown. */
  readonly isOpenRedirect: boolean;
  /** Also by other means than redirects. */
  readonly all: ReadonlySet<string>;
  /** The name of some file is unknown. */
  readonly isOpen: boolean;
  /** Those whose content does not appear in the text of the command. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * Returns the files that parts of a command may write with a content from its text: the targets of redirects, and every name
 * that a writing program mentions if it reads a pipe, a here-document or the network, is given text, or mentions such a file. A program
 * that only turns existing files into others, such as a compiler, is not one of them.
 */
export function findWritten(parts: readonly CommandPart[]): WrittenFiles {
  const files = {
    byRedirect: new Set<string>(),
    all: new Set<string>(),
    isOpenRedirect: false,
    isOpen: false,
    hidden: new Set<string>(),
  };
  for (const part of parts) addRedirects(part, files);
  const isFedByShell = parts.some(
    ({ program, command }) => program === "exec" && command.input !== undefined,
  );
  let waiting = parts.filter(mayWrite);
  for (let size = -1; size !== files.all.size;) {
    size = files.all.size;
    const [now, later] = [[] as CommandPart[], [] as CommandPart[]];
    for (const part of waiting) (isFedByShell || takesText(part, files.all) ? now : later).push(part);
    for (const part of now) addWriter(part, files);
    waiting = later;
  }
  return files;
}

interface Found {
  readonly byRedirect: Set<string>;
  readonly all: Set<string>;
  isOpenRedirect: boolean;
  isOpen: boolean;
  readonly hidden: Set<string>;
}

function addRedirects(part: CommandPart, found: Found): void {
  for (const { access, target } of part.command.redirects) {
    if (access !== "write" || isWithoutStorage(target)) continue;
    if (!target.literal) found.isOpenRedirect = true;
    found.byRedirect.add(baseName(target.text));
    found.all.add(baseName(target.text));
    if (!part.printsKnownText) found.hidden.add(baseName(target.text));
  }
  found.isOpen ||= found.isOpenRedirect;
}

function addWriter(part: CommandPart, found: Found): void {
  const isFed = part.command.input !== undefined;
  if (isFed && (part.isOpen || CHOOSES_NAMES.has(part.program ?? ""))) found.isOpen = true;
  for (const name of mentioned(part)) {
    found.all.add(name);
    if (!part.printsKnownText) found.hidden.add(name);
  }
}

/** Returns true if the part may write a file that no redirect names. A wrapper is judged by what it starts. */
function mayWrite({ program = "", command, traits }: CommandPart): boolean {
  if (traits?.isStarter === true || traits?.isReadOnly === true || WITHOUT_CONTENT.has(program)) return false;
  if (program !== "git" || writesOutput(command)) return true;
  return !command.words.some(({ text }) => GIT_WITHOUT_CONTENT.has(text));
}

/** `git log --format=TEXT --output=FILE`, whose text may be encoded. */
function writesOutput({ words }: CommandPart["command"]): boolean {
  return words.some(({ text }) => text.startsWith("--ou"));
}

function takesText({ program, command, usesNetwork }: CommandPart, written: ReadonlySet<string>): boolean {
  const { input, words } = command;
  if (usesNetwork || (program === "git" && writesOutput(command))) return true;
  const args = words.slice(1);
  if (input !== undefined || args.some(({ text, literal }) => literal && !BARE.test(text))) return true;
  return written.size > 0 && args.some(({ text }) => namesIn(text).some((name) => written.has(name)));
}

/** A word without blanks and quotes is no text. */
const BARE = /^[\w./~=+@:,%^*?-]*$/;

/** Returns the base names in the arguments, except of files that the program certainly reads. */
function mentioned({ command, traits }: CommandPart): readonly string[] {
  const read = new Set(
    traits?.paths
      .filter(({ access, suspected }) => access === "read" && suspected !== true)
      .map(({ text }) => text),
  );
  return command.words.slice(1).flatMap(({ text }) => (read.has(text) ? [] : namesIn(text)));
}

/**
 * Returns true if the part runs a written file: a program found by its name, a script of a shell or, if the content of a file does
 * not appear in the text of the command, of an interpreter.
 */
export function runsWritten(
  part: CommandPart,
  written: WrittenFiles,
  parts: readonly CommandPart[],
): boolean {
  const { words } = part.command;
  const [program, ...operands] = words;
  if (program === undefined || (written.all.size === 0 && !written.isOpen)) return false;
  if (isOneOf(baseName(program.text), written.all)) return true;
  const scripts = part.traits?.scripts ?? [];
  if (scripts.some((text) => namesIn(text).some((name) => isOneOf(name, written.hidden)))) return true;
  if (part.runsCode && startsOneOf(part, parts)) return true;
  if (!part.runsFile) return false;
  const names = part.isShell ? written.all : written.byRedirect;
  if (part.isShell ? written.isOpen : written.isOpenRedirect) return true;
  return operands.some(({ text, literal }) => !literal || namesIn(text).some((name) => isOneOf(name, names)));
}

/** Returns true if code in the arguments starts programs and mentions a file that another part writes. */
function startsOneOf(part: CommandPart, parts: readonly CommandPart[]): boolean {
  const codes = part.command.words.slice(1).filter(({ text }) => STARTS_PROGRAMS.test(text));
  if (codes.length === 0) return false;
  const { all: names } = findWritten(parts.filter((other) => other !== part));
  return codes.some(({ text }) => namesIn(text).some((name) => names.has(name)));
}

const STARTS_PROGRAMS =
  /\b(?:system|exec\w*|popen|spawn\w*|subprocess|shell\w*|qx|sh|bash|source|do)\b|[`|!]/;

/** `split` appends letters to the name it is given. */
function isOneOf(name: string, names: ReadonlySet<string>): boolean {
  return names.has(name) || (name.length > 2 && names.has(name.slice(0, -2)));
}
