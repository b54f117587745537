import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { readDocument, readSmallFile } from "../files/read-document.ts";
import { enterFolder } from "./enter-folder.ts";
import { repositoryIn, textOf, type Repository } from "./repository.ts";
import { submodulesIn } from "./submodules.ts";

const MAX_HEAD_BYTES = 255;
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const NO_INDEX = Buffer.from("DIRC\0\0\0\x02\0\0\0\0");
const MAX_SUBMODULES = 100;
const MAX_DEPTH = 5;

/** Sections of a repository's config in which no setting names a program or another config. */
const HARMLESS_SECTIONS =
  /^(?:advice|am|apply|blame|branch|checkout|color|column|commitgraph|core|extensions|feature|fetch|gc|grep|i18n|index|init|log|merge|notes|pack|pull|push|rebase|receive|remote|repack|rerere|reset|revert|safe|showbranch|stash|status|submodule|tag|transfer|user|versionsort|worktree)$/i;

/** Settings in those sections that do, that make reading fetch from a remote, or that change the form of the index. */
const NAMES_PROGRAM =
  /\b(?:alternaterefscommand|askpass|attributesfile|command|driver|editor|excludesfile|fsmonitor|gitproxy|helper|hookspath|notesref|objectformat|pager|partialclone|program|promisor|proxy|receivepack|recentobjectshook|sshcommand|tool|update|uploadpack|vcs|worktree)\s*(?:=|$)/im;

/**
 * Returns the part of the config of the repository around a folder, or of its submodules, that may name programs or other configs: an
 * alias, a diff driver, a filter, an include. Returns undefined if there is none, or no repository. Doubts count as such a part. The
 * folder must be canonical.
 */
export async function findNamedPrograms(folder: string, depth = 0): Promise<string | undefined> {
  for (const repository of await findRepositories(folder)) {
    const { own, common } = repository;
    for (const name of ["config", "config.worktree"])
      for (const data of new Set([common, own])) {
        const text = readConfig(join(data, name));
        const part = text === undefined ? undefined : suspiciousPart(withoutOwnFolder(text, repository));
        if (part !== undefined) return `${part} in ${join(data, name)}`;
      }
    const part = await findInSubmodules(repository, depth);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** git looks for changes in the submodules too, with their own configs. */
async function findInSubmodules({ folder, own }: Repository, depth: number): Promise<string | undefined> {
  const index = join(own, "index");
  const paths = attempt(() => submodulesIn(readDocument(index, { maxBytes: MAX_INDEX_BYTES }) ?? NO_INDEX));
  if (paths === undefined || paths.length > MAX_SUBMODULES || depth > MAX_DEPTH)
    return `doubts about ${index}`;
  for (const path of paths) {
    const submodule = enterFolder(folder, path);
    if (repositoryIn(submodule) === undefined) continue;
    const part = await findNamedPrograms(submodule, depth + 1);
    if (part !== undefined) return part;
  }
  return undefined;
}

/** Finds `.git` upwards, up to the first that git certainly accepts: git passes over a folder that is not a repository. */
async function findRepositories(folder: string): Promise<readonly Repository[]> {
  const repository = repositoryIn(folder);
  if (repository !== undefined && (await isCertain(repository))) return [repository];
  const above = dirname(folder) === folder ? [] : await findRepositories(dirname(folder));
  return repository === undefined ? above : [repository, ...above];
}

const HEAD = /^(?:ref: refs\/\S+|[\da-f]{40})\n$/;

async function isCertain({ own, common }: Repository): Promise<boolean> {
  if (!HEAD.test(readSmallFile(join(own, "HEAD"), MAX_HEAD_BYTES) ?? "")) return false;
  const parts = ["objects", "refs"].map((name) => access(join(common, name), constants.X_OK));
  return Promise.all(parts).then(
    () => true,
    () => false,
  );
}

/** Returns undefined if there is no such file. */
function readConfig(path: string): string | undefined {
  try {
    return textOf(path);
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = "[unreadable]";

/** The config of a submodule names the folder of its files, which is the one where it was found. */
function withoutOwnFolder(config: string, { folder, own }: Repository): string {
  return config.replace(/^[ \t]*worktree = ([\w./-]+)$/m, (line, path: string) =>
    enterFolder(own, path) === folder ? "" : line,
  );
}

function suspiciousPart(config: string): string | undefined {
  const sections = config.matchAll(/\[\s*([^\]\s".]*)/g);
  const section = [...sections].find(([, name = ""]) => !HARMLESS_SECTIONS.test(name));
  if (section !== undefined) return `[${section[1]}]`;
  // A merge driver has a name; the section without one has plain settings only.
  if (/\[\s*merge[\s.]/i.test(config)) return "[merge]";
  return NAMES_PROGRAM.exec(config)?.[0].trim();
}
