import type { PathWord, Redirect, SimpleCommand, Word } from "../../core/command.ts";
import { operandPaths } from "./operand-paths.ts";
import { afterScheme, pathInOption } from "./path-looks.ts";
import type { FoundPath, Program, Use, UsedFlag } from "./tables/program.ts";

/** The paths that a command names, once for each folder it may run in: in its options, its operands and its redirects. */
export function pathWordsOf(
  command: SimpleCommand,
  program: Program | undefined,
  use: Use,
): readonly PathWord[] {
  const own = optionPaths(use);
  own.push(...operandPaths(program, use, command.words));
  const folders = use.flags.filter(({ flag }) => flag.values[0] === "folder");
  if (own.length === 0 && folders.length === 0 && command.redirects.length === 0) return NONE;
  const isAway = command.via.some((name) => AWAY.has(name));
  const found: PathWord[] = [];
  // The shell opens redirects, before the program goes anywhere.
  for (const path of command.redirects) addPaths(found, fromRedirect(path), command.cwds, isAway);
  let { cwds } = command;
  for (const folder of folders) {
    for (const word of folder.values) addPaths(found, { word, access: "read" }, cwds, isAway);
    cwds = goneTo(folder, cwds);
  }
  for (const path of own) addPaths(found, path, cwds, isAway);
  return found;
}

const NONE: readonly PathWord[] = [];

/** What starts its commands on another machine or in another root: a path there is perhaps none here. */
const AWAY: ReadonlySet<string> = new Set(
  "ssh autossh mosh slogin rsh docker podman nerdctl finch docker-compose podman-compose kubectl oc chroot nsenter".split(
    " ",
  ),
);

/** The folders a command works in, given those it is started in and the options that change them. */
export function workingFolders(cwds: readonly string[], use: Use): readonly string[] {
  let folders = cwds;
  for (const used of use.flags) folders = goneTo(used, folders);
  return folders;
}

function goneTo({ flag, values }: UsedFlag, cwds: readonly string[]): readonly string[] {
  const [value] = values;
  if (flag.values[0] !== "folder" || value === undefined) return cwds;
  return value.literal ? cwds.map((cwd) => joinPath(cwd, value.text)) : [];
}

/** A path as seen from a folder. Dots stay: what they lead to is known only once links are resolved. */
function joinPath(cwd: string, path: string): string {
  if (path.startsWith("/") || path.startsWith("~")) return path;
  return cwd.endsWith("/") ? cwd + path : `${cwd}/${path}`;
}

function optionPaths(use: Use): FoundPath[] {
  const found: FoundPath[] = [];
  for (const { flag, values } of use.flags) {
    for (const [index, kind] of flag.values.entries()) {
      const word = values[index];
      if (word === undefined) continue;
      if (kind === "read" || kind === "write") found.push({ word, access: kind });
      if (kind === "ranged") found.push({ word: afterColon(word), access: "read" });
    }
  }
  for (const word of use.unknown) {
    const text = pathInOption(word.text);
    if (text !== undefined)
      found.push({ word: { text, literal: word.literal }, access: "write", isSuspected: true });
  }
  return found;
}

/** The file of `-L 1,5:file` and `-L :function:file`. */
function afterColon({ text, literal }: Word): Word {
  return { text: text.slice(text.lastIndexOf(":") + 1), literal };
}

function fromRedirect({ access, target }: Redirect): FoundPath {
  return { word: target, access };
}

function addPaths(found: PathWord[], path: FoundPath, cwds: readonly string[], isAway: boolean): void {
  const named = afterScheme(path.word);
  const text = path.word.literal || named === undefined ? named : afterTilde(named);
  if (text === undefined || isSink(text, path.access)) return;
  const isSuspected = isAway || path.isSuspected === true || !path.word.literal;
  const add = (cwd: string, suspected: boolean): void => {
    const word = { text, cwd, access: path.access };
    found.push(suspected ? { ...word, suspected } : word);
  };
  for (const cwd of cwds) add(cwd, isSuspected);
  // Where nobody knows the folder, an absolute path is still what it is.
  if (cwds.length === 0) add("/", isSuspected || !/^[/~]/.test(text));
}

/** Where `~user` leads, `~+` and `~-`, as near as can be guessed: to a home, here, and to where nobody can tell. */
function afterTilde(text: string): string {
  const [, name, rest = ""] = /^~([^/]+)(.*)$/s.exec(text) ?? [];
  if (name === undefined) return text;
  if (name === "+") return `.${rest}`;
  return name === "-" ? `/${rest}` : `/home/${name}${rest}`;
}

/** The devices that keep nothing and give nothing away. The terminal is not one: what is written there reaches a person. */
export function isSink(text: string, access: "read" | "write"): boolean {
  if (/^\/dev\/(?:null|stdin|stdout|stderr|fd\/[012])$/.test(text)) return true;
  return access === "read" && /^\/dev\/(?:zero|random|urandom)$/.test(text);
}
