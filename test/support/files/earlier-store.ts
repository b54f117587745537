import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

const STORES = join(import.meta.dirname, "..", "..", "fixtures", "stores");

/** Stores of earlier versions, each with what a process that was killed while it ran `sleep 55` had written. */
export const STORE_VERSIONS: readonly string[] = readdirSync(STORES).toSorted();

/** Writes a copy of the store of a version to a folder. */
export function unpackStore(version: string, folder: string): void {
  const from = join(STORES, version);
  for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".gz")) continue;
    const to = join(folder, name.slice(0, -".gz".length));
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    writeFileSync(to, gunzipSync(readFileSync(join(from, name))), { mode: 0o600 });
  }
}
