// `fs.promises` is loaded on first use, as in `paths.ts`.
import fs, { lstatSync, type Stats } from "node:fs";
import { attempt } from "../../util/async/attempt.ts";
import { toFileName } from "../../util/text/file-name.ts";
import { isSystemPath } from "../../util/text/paths/system-path.ts";
import { systemCode } from "./file-fault.ts";

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

/**
 * Returns true for the canonical path of a file or folder of the operating system that every user of the machine may read, by its own rights and those of each
 * folder above it. A missing file is one too, if it would be reached. Never rejects.
 */
export async function isSystemFile(canonical: string): Promise<boolean> {
  if (!isSystemPath(canonical)) return false;
  const names = canonical.split("/").slice(1);
  for (const at of names.keys()) {
    const isLast = at === names.length - 1;
    try {
      const stats = await fs.promises.lstat(toFileName(`/${names.slice(0, at + 1).join("/")}`));
      if (!isOpen(stats, { isEntered: !isLast }) || !(isLast || stats.isDirectory())) return false;
    } catch (error) {
      return systemCode(error) === "ENOENT";
    }
  }
  return true;
}

/** Returns true for a file or folder whose own rights let every user read it, and for a link, which has no rights; false if it cannot be inspected. */
export function isOpenToAll(path: string): boolean {
  const stats = attempt(() => lstatSync(toFileName(path)));
  return stats !== undefined && (stats.isSymbolicLink() || isOpen(stats, { isEntered: false }));
}

/** To enter a folder takes another right than to list it. */
function isOpen(found: Stats, { isEntered }: { readonly isEntered: boolean }): boolean {
  if (!found.isDirectory()) return found.isFile() && (found.mode & OTHERS_READ) !== 0;
  const wanted = isEntered ? OTHERS_ENTER : OTHERS_ENTER | OTHERS_READ;
  return (found.mode & wanted) === wanted;
}
