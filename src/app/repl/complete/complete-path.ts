import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { visible } from "../../../util/text/visible.ts";
import type { Candidate } from "./menu.ts";

const MAX_CANDIDATES = 200;

/** Returns the files and folders that start with a path. Never rejects: an unreadable folder has none. */
export async function completePath(typed: string, workspace: string): Promise<readonly Candidate[]> {
  const slash = typed.lastIndexOf("/") + 1;
  const [folder, start] = [typed.slice(0, slash), typed.slice(slash)];
  try {
    const entries = await readdir(resolve(workspace, expandHome(folder) || "."), { withFileTypes: true });
    return (
      entries
        .filter(({ name }) => name.startsWith(start) && (start.startsWith(".") || !name.startsWith(".")))
        // Leave out names with control characters: they cannot be typed.
        .filter(({ name }) => visible(name) === name)
        .map((entry) => ({ text: `${folder}${entry.name}${entry.isDirectory() ? "/" : " "}` }))
        .toSorted((one, other) => one.text.localeCompare(other.text))
        .slice(0, MAX_CANDIDATES)
    );
  } catch {
    return [];
  }
}

function expandHome(folder: string): string {
  return folder.startsWith("~/") ? resolve(homedir(), folder.slice(2)) : dirname(`${folder}x`);
}
