import { statSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import type { PathSettings } from "./groups.ts";
import { stateFoldersOf } from "./folders.ts";
import { editConfigFile, readConfigFile } from "./files/config-file.ts";

/** Where the key of a variable is stored: in this file, or in the keyring of the system. */
export type StoredKey = { readonly key: string } | { readonly keyring: true };

/** Returns the file that has the stored keys, and the names of those in the keyring. */
export function keyFileOf({ home }: Pick<PathSettings, "home">): string {
  return join(home, "keys.json");
}

/** Returns the stored keys by the variable that they stand for. Throws if the file is not valid, or if other users can read it. */
export function readStoredKeys(paths: Pick<PathSettings, "home">): ReadonlyMap<string, StoredKey> {
  const file = keyFileOf(paths);
  const stored = readConfigFile(file);
  if (stored === undefined) return new Map();
  refuseShared(file);
  return new Map(Object.entries(stored).map(([name, entry]) => [name, toStoredKey(entry, file, name)]));
}

function refuseShared(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
    throw new ToolError("INVALID_INPUT", `other users can read ${file}, so its keys are not used`, {
      hint: `chmod 600 ${file}`,
    });
}

function toStoredKey(entry: unknown, file: string, name: string): StoredKey {
  const { key, keyring } = isObject(entry) ? entry : ({} as JsonObject);
  if (typeof key === "string" && key !== "") return { key };
  if (keyring === true) return { keyring };
  throw new ToolError("INVALID_INPUT", `${file}: ${name} must be {"key": "…"} or {"keyring": true}`, {
    hint: "toolwright login stores the key again",
  });
}

/** Returns the keys in the file itself, to mask them, also those of a file that is not used. Never throws. */
export function keysInFile(paths: Pick<PathSettings, "home">): readonly string[] {
  const stored = attempt(() => readConfigFile(keyFileOf(paths))) ?? {};
  return Object.values(stored).flatMap((entry) => {
    const key = isObject(entry) ? entry["key"] : undefined;
    return typeof key === "string" && key !== "" ? [key] : [];
  });
}

/** Stores where the key of a variable is; undefined removes it. Throws if other users can read the file. */
export async function editStoredKey(
  paths: PathSettings,
  variable: string,
  value: StoredKey | undefined,
): Promise<void> {
  if (value !== undefined) refuseShared(keyFileOf(paths));
  const changesFolder = stateFoldersOf(paths).changes;
  await editConfigFile(keyFileOf(paths), { changesFolder }, () => ({ path: [variable], value }));
}
