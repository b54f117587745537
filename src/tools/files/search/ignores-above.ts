import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../../../system/paths/file-fault.ts";

/** The files that can list ignored files of a folder. */
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"];

/** True if a parent folder may have ignore files: ripgrep then checks them for every file. */
export async function hasIgnoresAbove(folder: string): Promise<boolean> {
  const files = foldersAbove(folder).flatMap((above) => IGNORE_FILES.map((name) => join(above, name)));
  const found = await Promise.all(files.map(mayExist));
  return found.includes(true);
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

async function mayExist(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}
