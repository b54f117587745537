import type { PathWord, SimpleCommand, Word } from "../../core/command.ts";
import { withoutEditorCommand } from "../syntax/editor-command.ts";
import { listedNames } from "../syntax/listed-names.ts";
import { operandPaths, pathInOption, pathsNamed } from "./operand-paths.ts";
import { changedSettings } from "./tables/system-settings.ts";
import type { FoundPath, Program, Use, UsedFlag } from "./tables/program.ts";

/**
 * Returns the paths in the options, operands and redirects of a command, once per folder in which it may run. `hasList`: it reads paths
 * that its arguments do not name.
 */
export function pathWordsOf(
  command: SimpleCommand,
  program: Program | undefined,
  use: Use,
  hasList: boolean,
): readonly PathWord[] {
  const own = optionPaths(use);
  own.push(...operandPaths(program, use, command.words), ...possibleLinks(command, program, hasList));
  own.push(...changedSettings(command));
  const folders = use.flags.filter(({ flag }) => flag.values[0] === "folder");
  if (own.length === 0 && folders.length === 0 && command.redirects.length === 0) return NONE;
  const isRemote = command.via.some((name) => RUNS_REMOTELY.has(name));
  const pathWords: PathWord[] = [];
  // The shell opens redirects before the program changes its folder.
  for (const { access, target: word } of command.redirects)
    addPaths(pathWords, { word, access }, command.cwds, isRemote);
  let { cwds } = command;
  for (const folder of folders) {
    for (const word of folder.values) addPaths(pathWords, { word, access: "read" }, cwds, isRemote);
    cwds = changeFolder(folder, cwds);
  }
  for (const path of own) addPaths(pathWords, path, cwds, isRemote);
  return pathWords;
}

const NONE: readonly PathWord[] = [];

const MAX_LINKS = 32;
const MAX_CODE = 4096;

/** Returns the paths of a list on standard input, and the bare names in code and in the arguments of a program of which the tables do not know the files: any of them may be a link. */
function possibleLinks(
  command: SimpleCommand,
  program: Program | undefined,
  hasList: boolean,
): readonly FoundPath[] {
  const { words, input } = command;
  const isCode = program !== undefined && (program.ungrantable === "interpreter" || CODE.test(program.names));
  if (hasList) return input === undefined ? NO_PATHS : listedNames(input).map(suspected);
  if (words.length === 0 || (program !== undefined && !isCode && !TAKES_FILES.test(program.names)))
    return NO_PATHS;
  const code = isCode ? (input?.text ?? "").slice(0, MAX_CODE) : "";
  const texts = words.slice(1).map(({ text }) => text);
  const named = isCode
    ? texts.flatMap((text) => text.slice(0, MAX_CODE).split(NO_NAME))
    : texts.flatMap((text) => (program === undefined ? text : [text, text.replace(BEFORE_NAME, "")]));
  const all = [...named, ...code.split(NO_NAME)].flatMap(withoutEditorCommand);
  const names = new Set(all.filter((text) => /^\w[\w.@:+-]*$/.test(text)));
  return [...names].slice(0, MAX_LINKS).map(suspected);
}

function suspected(text: string): FoundPath {
  return { word: { text, literal: true }, access: "read", isSuspected: true };
}

const NO_NAME = /[^\w./@:+-]+/;
const NO_PATHS: readonly FoundPath[] = [];
const CODE = /^sed\b/;
/** Programs with too many options for the tables, some of which name a file to read: `openssl rsa -in server.key`. */
const TAKES_FILES = /\b(?:openssl|kubectl|helm|ansible|doppler)\b/;
/** What stands before a name in an argument: `--key=server.key`, `@server.pem`, `file:server.pem`. */
const BEFORE_NAME = /^.*[=@:]/s;

/** Programs that start commands on another machine or in another root: a path there may not exist here. */
const RUNS_REMOTELY: ReadonlySet<string> = new Set(
  "ssh autossh mosh slogin rsh docker podman nerdctl finch docker-compose podman-compose kubectl oc chroot nsenter".split(
    " ",
  ),
);

/** Returns the folders in which a command works, after options that change them. */
export function workingFolders(cwds: readonly string[], use: Use): readonly string[] {
  let folders = cwds;
  for (const used of use.flags) folders = changeFolder(used, folders);
  return folders;
}

function changeFolder({ flag, values }: UsedFlag, cwds: readonly string[]): readonly string[] {
  const [value] = values;
  if (flag.values[0] !== "folder" || value === undefined) return cwds;
  return value.literal ? cwds.map((cwd) => joinPath(cwd, value.text)) : [];
}

/** Joins a path to a folder. Keeps `..`, which can only be resolved on the disk, after links. */
function joinPath(cwd: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~")) return path;
  return cwd.endsWith("/") ? cwd + path : `${cwd}/${path}`;
}

function optionPaths(use: Use): FoundPath[] {
  const paths: FoundPath[] = [];
  for (const { flag, values } of use.flags) {
    for (const [index, word] of values.entries()) {
      const kind = flag.values[index];
      if (kind === "read" || kind === "write") paths.push({ word, access: kind });
      if (kind === "names") paths.push({ word, access: "read" });
      if (kind === "ranged") paths.push({ word: afterColon(word), access: "read" });
    }
  }
  for (const word of use.unknown) {
    const text = pathInOption(word.text);
    if (text !== undefined)
      paths.push({ word: { text, literal: word.literal }, access: "write", isSuspected: true });
  }
  return paths;
}

/** Returns the file of `-L 1,5:file` and `-L :function:file`. */
function afterColon({ text, literal }: Word): Word {
  return { text: text.slice(text.lastIndexOf(":") + 1), literal };
}

function addPaths(found: PathWord[], path: FoundPath, cwds: readonly string[], isRemote: boolean): void {
  for (const named of pathsNamed(path.word))
    addPath(found, { ...path, text: path.word.literal ? named : afterTilde(named) }, cwds, isRemote);
}

function addPath(
  found: PathWord[],
  { text, ...path }: FoundPath & { readonly text: string },
  cwds: readonly string[],
  isRemote: boolean,
): void {
  if (isSink(text, path.access)) return;
  const isSuspected = isRemote || path.isSuspected === true || !path.word.literal;
  const add = (cwd: string, suspected: boolean): void => {
    const word = { text, cwd, access: path.access };
    found.push(suspected ? { ...word, suspected } : word);
  };
  for (const cwd of cwds) add(cwd, isSuspected);
  // If the folder is unknown, an absolute path is still certain.
  if (cwds.length === 0) add("/", isSuspected || !/^[/~]/.test(text));
}

/** Guesses the folder of `~user`, `~+` and `~-`: a home, the current folder, and an unknown folder. */
function afterTilde(text: string): string {
  const [, name, rest = ""] = /^~([^/]+)(.*)$/s.exec(text) ?? [];
  if (name === undefined) return text;
  if (name === "+") return `.${rest}`;
  return name === "-" ? `/${rest}` : `/home/${name}${rest}`;
}

/** Returns true for devices that store and reveal nothing. The terminal is not one: its output reaches a person. */
export function isSink(text: string, access: "read" | "write"): boolean {
  if (/^\/dev\/(?:null|stdout|stderr|fd\/[12])$/.test(text)) return true;
  // Standard input may be a file that is open for writing.
  return access === "read" && /^\/dev\/(?:stdin|fd\/0|zero|random|urandom)$/.test(text);
}
