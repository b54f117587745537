import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../../../system/paths/file-fault.ts";

/** Every file by which a folder can say what is ignored below it. */
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"];

/** True where a folder above may say what is ignored in this one: ripgrep asks those above about every file it meets. */
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
