import { statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { readDocument } from "../files/read-document.ts";
import { enterFolder } from "./enter-folder.ts";

const MAX_BYTES = 256 * 1024;

export interface Repository {
  /** The folder of its files. */
  readonly folder: string;
  /** The folder of this worktree's own data; the same as `common` unless it is a linked one. */
  readonly own: string;
  readonly common: string;
}

/** Returns the repository whose `.git` is in the folder, which need not be a valid one; undefined if there is none. */
export function repositoryIn(folder: string): Repository | undefined {
  const entry = join(folder, ".git");
  const stats = attempt(() => statSync(entry));
  if (stats === undefined) return undefined;
  const link = /^gitdir: ([\s\S]+?)[\r\n]*$/.exec(attempt(() => textOf(entry)) ?? "")?.[1] ?? ".";
  const own = stats.isDirectory() ? entry : enterFolder(folder, link);
  const common = attempt(() => textOf(join(own, "commondir"))) ?? ".";
  return { folder, own, common: enterFolder(own, common.replace(/[\r\n]+$/, "")) };
}

/** Throws for anything but a small regular file: the folder may come from others. */
export function textOf(path: string): string | undefined {
  return readDocument(path, { maxBytes: MAX_BYTES })?.toString("utf8");
}
