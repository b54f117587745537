import type { Word } from "../../../core/command.ts";
import { expandCurlGlobs } from "../../syntax/curl-globs.ts";
import type { FoundPath, Use } from "./program.ts";

const TAR_MODES: ReadonlySet<string> = new Set(["-c", "-r", "-u", "-A", "-x", "-t", "-d", "--delete"]);
const WRITING_MODES: ReadonlySet<string> = new Set(["-c", "-r", "-u", "-A", "--delete"]);

/** The archive is written when packing and read when unpacking; unpacking writes into the target folder. */
export function tarPaths(use: Use): readonly FoundPath[] {
  const old = oldStyle(use);
  const modes = [
    ...use.flags.map(({ flag }) => flag.name).filter((name) => TAR_MODES.has(name)),
    ...old.modes,
  ];
  const isPacking = modes.some((mode) => WRITING_MODES.has(mode));
  const archives = [
    ...use.flags.filter(({ flag }) => flag.name === "-f").flatMap(({ values }) => values),
    ...old.archives,
  ];
  const folders = use.flags.filter(({ flag }) => flag.name === "-C").flatMap(({ values }) => values);
  const members = isPacking ? use.operands.slice(old.words) : [];
  const isUnpacking = modes.includes("-x");
  return [
    ...archives.map((word): FoundPath => ({ word, access: isPacking ? "write" : "read" })),
    ...folders.map((word): FoundPath => ({ word, access: isUnpacking ? "write" : "read" })),
    ...members.flatMap((word) => memberPaths(word, folders)),
    ...(isUnpacking && folders.length === 0 ? [UNPACKED_HERE] : []),
  ];
}

const UNPACKED_HERE: FoundPath = { word: { text: ".", literal: true }, access: "write" };

/** The packed files are relative to the folder given by an option. */
function memberPaths(word: Word, folders: readonly Word[]): readonly FoundPath[] {
  if (folders.length === 0 || word.text.startsWith("/")) return [{ word, access: "read" }];
  return folders.map((folder) => ({
    word: { text: `${folder.text}/${word.text}`, literal: word.literal && folder.literal },
    access: "read",
  }));
}

/** Handles `tar xzf file`: the first word is a cluster without its dash, followed by its values. */
function oldStyle({ flags, operands }: Use): {
  readonly modes: readonly string[];
  readonly archives: readonly Word[];
  readonly words: number;
} {
  const [first, ...rest] = operands;
  const isNew = flags.some(({ flag }) => TAR_MODES.has(flag.name));
  if (first === undefined || isNew || !/^[A-Za-z]+$/.test(first.text))
    return { modes: [], archives: [], words: 0 };
  const letters = first.text.split("");
  const valued = letters.filter((letter) => "fbCTXHgFIKNV".includes(letter));
  const archives = rest.filter((_, index) => valued[index] === "f");
  return { modes: letters.map((letter) => `-${letter}`), archives, words: 1 + valued.length };
}

/** Returns true for `tar cTf names archive`. */
export function listsOldStyle(use: Use): boolean {
  return oldStyle(use).modes.includes("-T");
}

const SENDS: ReadonlySet<string> = new Set("-d -F --json -b -H -w --url-query --variable".split(" "));

/** `-d @file` and `-F name=@file` send a file, and so does `-b file`; a cookie contains a `=`. */
export function dataFiles({
  flags,
  operands,
}: Use): readonly { readonly word: Word; readonly access: "read" }[] {
  const sent = flags.filter(({ flag }) => SENDS.has(flag.name));
  const files = sent.flatMap(({ values }) =>
    values.flatMap(({ text, literal }) => {
      const file = /^(?:[^=@]*=?)[@<](.+?)(?:;.*)?$/.exec(text)?.[1];
      return file === undefined ? [] : [{ text: file, literal }];
    }),
  );
  const jars = flags
    .filter(({ flag }) => flag.name === "-b")
    .flatMap(({ values }) => values.filter(({ text }) => !/[=@]/.test(text)));
  const valuesOf = (name: string): readonly Word[] =>
    flags.filter(({ flag }) => flag.name === name).flatMap(({ values }) => values);
  const urls = [...operands, ...valuesOf("--url")].flatMap(expanded);
  const local = urls.filter(({ text }) => /^file:/i.test(text));
  const uploads = valuesOf("-T").flatMap(expanded);
  return [...files, ...jars, ...local, ...uploads].map((word) => ({ word, access: "read" }));
}

const MAX_FILES = 256;

/** Expands the globs of curl: `file:///{a,b}`. Of too many the pattern stays, which may be any of them. */
function expanded({ text, literal }: Word): readonly Word[] {
  const all = expandCurlGlobs(text, MAX_FILES);
  return all?.map((one) => ({ text: one, literal })) ?? [{ text, literal: false }];
}

/** Settings of ssh that start a local program. */
export function proxies({ flags }: Use): readonly Word[] {
  return flags
    .filter(({ flag }) => flag.name === "-o")
    .flatMap(({ values }) => values)
    .filter(({ text }) => /command/i.test(text));
}

/** Returns the mounted paths of this machine: writable, unless mounted read-only. */
export function mountedPaths({ flags }: Use): readonly FoundPath[] {
  return flags.flatMap(({ flag, values }) => {
    if (flag.name === "-v") return values.flatMap(volumePath);
    return flag.name === "--mount" ? values.flatMap(mountPath) : [];
  });
}

/** Parses `HOST:CONTAINER:ro`; a host part that is not a path names a volume. */
function volumePath({ text, literal }: Word): readonly FoundPath[] {
  const [host = "", box, options = ""] = text.split(":");
  if (box === undefined || !/^[./~$]/.test(host)) return [];
  const isRead = options.split(",").includes("ro");
  return [{ word: { text: host, literal }, access: isRead ? "read" : "write" }];
}

/** Parses `type=bind,source=HOST,target=CONTAINER,readonly`. */
function mountPath({ text, literal }: Word): readonly FoundPath[] {
  const fields = text.split(",");
  const host = fields
    .map((field) => /^(?:src|source)=(.+)$/.exec(field)?.[1])
    .find((one) => one !== undefined);
  if (host === undefined || !/^[./~$]/.test(host)) return [];
  const isRead = fields.some((field) => /^(?:readonly|ro)(?:=true|=1)?$/.test(field));
  return [{ word: { text: host, literal }, access: isRead ? "read" : "write" }];
}

/** Settings of git that name a program, a config file or a hooks folder. */
const RUNNING: readonly RegExp[] = [
  /^core\.(?:hookspath|fsmonitor|pager|editor|sshcommand|gitproxy|askpass)$/i,
  /^core\.(?:alternaterefscommand|attributesfile|worktree)$/i,
  /^(?:diff\.external|sequence\.editor|interactive\.difffilter|init\.templatedir|uploadpack\.packobjectshook)$/i,
  /^(?:pager|include|includeif|protocol|hook)\..+$/i,
  /^submodule\..+\.update$/i,
  /^.+\.(?:command|cmd|defaultkeycommand|textconv|driver|clean|smudge|process|helper|program)$/i,
  /^.+\.(?:vcs|uploadpack|receivepack)$/i,
];

/**
 * Returns the file to which `git config` writes a setting that can run code; empty if it only prints, or if the setting
 * runs nothing. The file depends on the working folder, so it is only suspected.
 */
export function configWrites(use: Use): readonly FoundPath[] {
  const { flags, operands } = use;
  const uses = (...names: readonly string[]): boolean => flags.some(({ flag }) => names.includes(flag.name));
  const tells = uses("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l");
  if (tells || !setsRunning(operands)) return [];
  const named = flags.filter(({ flag }) => flag.name === "-f").flatMap(({ values }) => values);
  const own = { text: uses("--global") ? "~/.gitconfig" : ".git/config", literal: true };
  return (named.length > 0 ? named : [own]).map((word) => ({ word, access: "write", isSuspected: true }));
}

/** Returns true for a name followed by a value, also after `set`. An alias runs a shell if it begins with `!`. */
function setsRunning(operands: readonly Word[]): boolean {
  const at = operands.findIndex(({ text, literal }) => !literal || isRunning(text) || /^alias\./i.test(text));
  const [name, value] = operands.slice(at < 0 ? operands.length : at);
  if (name === undefined || value === undefined) return false;
  return isRunning(name.text) || !name.literal || !value.literal || value.text.startsWith("!");
}

function isRunning(setting: string): boolean {
  return RUNNING.some((pattern) => pattern.test(setting));
}
