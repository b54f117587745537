import { readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { Watched } from "../watch-folders.ts";
import { listExtensions } from "./list-extensions.ts";

/** Each folder uses one system watch. */
const MAX_FOLDERS = 200;

/** Watches a folder of extensions with its subfolders, except `node_modules` and hidden ones. */
export function watchedIn(folder: string): Watched {
  return {
    folders: () => foldersIn(folder),
    state: async () => JSON.stringify(await listExtensions(folder).catch(String)),
  };
}

function foldersIn(folder: string): readonly string[] {
  const found = [folder];
  for (const next of found) {
    if (found.length >= MAX_FOLDERS) break;
    for (const entry of entriesOf(next)) {
      const isOwn = entry.name !== "node_modules" && !entry.name.startsWith(".");
      if (isOwn && entry.isDirectory()) found.push(join(next, entry.name));
    }
  }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
