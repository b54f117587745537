import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { readDocument } from "../files/read-document.ts";

const MAX_CONFIG_BYTES = 256 * 1024;

/** Sections of a repository's config in which no setting names a program or another config. */
const HARMLESS_SECTIONS =
  /^(?:advice|am|apply|blame|branch|checkout|color|column|commitgraph|core|extensions|feature|fetch|gc|grep|i18n|index|init|log|merge|notes|pack|pull|push|rebase|receive|remote|repack|rerere|reset|revert|safe|showbranch|stash|status|submodule|tag|transfer|user|versionsort|worktree)$/i;

/** Settings in those sections that do. */
const NAMES_PROGRAM =
  /\b(?:alternaterefscommand|askpass|attributesfile|command|driver|editor|excludesfile|fsmonitor|gitproxy|helper|hookspath|notesref|pager|program|proxy|receivepack|sshcommand|tool|update|uploadpack|vcs|worktree)\s*(?:=|$)/im;

/**
 * Returns the part of the config of the repository around a folder that may name programs or other configs: an alias, a diff
 * driver, a filter, an include. Returns undefined if there is none, or no repository. Doubts count as such a part.
 */
export async function findNamedPrograms(folder: string): Promise<string | undefined> {
  const found = await findRepository(folder);
  if (found === undefined) return undefined;
  for (const name of ["config", "config.worktree"])
    for (const data of new Set([found.common, found.own])) {
      const text = readConfig(join(data, name));
      const part = text === undefined ? undefined : suspiciousPart(text);
      if (part !== undefined) return `${part} in ${join(data, name)}`;
    }
  return undefined;
}

interface Repository {
  /** The folder of this worktree's own data; the same as `common` unless it is a linked one. */
  readonly own: string;
  readonly common: string;
}

/** Finds the repository as git does: the next folder upwards that has `.git`. */
async function findRepository(folder: string): Promise<Repository | undefined> {
  const entry = join(folder, ".git");
  const found = await stat(entry).catch(() => undefined);
  if (found === undefined) return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
  if (found.isDirectory()) return { own: entry, common: entry };
  const link = /^gitdir: (.+?)\s*$/.exec(attempt(() => textOf(entry)) ?? "")?.[1] ?? ".";
  const own = resolve(folder, link);
  const common = attempt(() => textOf(join(own, "commondir"))) ?? ".";
  return { own, common: resolve(own, common.trim()) };
}

/** Returns undefined if there is no such file. */
function readConfig(path: string): string | undefined {
  try {
    return textOf(path);
  } catch {
    return UNREADABLE;
  }
}

/** Throws for anything but a small regular file: the folder may come from others. */
function textOf(path: string): string | undefined {
  return readDocument(path, { maxBytes: MAX_CONFIG_BYTES })?.toString("utf8");
}

const UNREADABLE = "[unreadable]";

function suspiciousPart(config: string): string | undefined {
  const sections = config.matchAll(/\[\s*([^\]\s".]*)/g);
  const section = [...sections].find(([, name = ""]) => !HARMLESS_SECTIONS.test(name));
  if (section !== undefined) return `[${section[1]}]`;
  // A merge driver has a name; the section without one has plain settings only.
  if (/\[\s*merge[\s.]/i.test(config)) return "[merge]";
  return NAMES_PROGRAM.exec(config)?.[0].trim();
}
