import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const COLLECTING = pathToFileURL(resolve(import.meta.dirname, "collect-tests.ts")).href;

/** Each module of this repository, with those that import it. */
const importers = new Map<string, Set<string>>();
const affected = new Map<string, ReadonlySet<string>>();

/** Collects tests instead of running them, and loads a module whose address ends with `queryFor` once more, with those of its imports that import the mutated file. */
export function hookModules(): void {
  const stripped = new Map<string, string>();
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === "node:test") return { url: COLLECTING, shortCircuit: true };
      const resolved = next(specifier, context);
      if (!isOwn(resolved.url)) return resolved;
      const [path, parent] = [pathOf(resolved.url), pathOf(context.parentURL ?? "")];
      importers.set(path, (importers.get(path) ?? new Set()).add(parent));
      const query = QUERY.exec(context.parentURL ?? "");
      const isAffected = query !== null && importersOf(decodeURIComponent(query[1] ?? "")).has(path);
      return isAffected ? { ...resolved, url: resolved.url + query[0] } : resolved;
    },
    load: (url, context, next) => {
      if (!QUERY.test(url)) return next(url, context);
      const path = pathOf(url);
      const source = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(path, "utf8"));
      stripped.set(path, source);
      return { format: "module", source, shortCircuit: true };
    },
  });
}

const QUERY = /\?mutant=\d+&file=(.*)$/;

/** Returns what the address of a test file ends with that is loaded for a mutant. */
export function queryFor(mutant: string, file: string): string {
  return `?mutant=${mutant}&file=${encodeURIComponent(file)}`;
}

/** Returns a file and those that import it, directly or by others, as far as they were loaded. */
export function importersOf(file: string): ReadonlySet<string> {
  const files = affected.get(file) ?? new Set([file]);
  // Grows while it is read.
  if (!affected.has(file))
    for (const one of files)
      for (const parent of importers.get(one) ?? []) (files as Set<string>).add(parent);
  affected.set(file, files);
  return files;
}

function pathOf(url: string): string {
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}

function isOwn(url: string): boolean {
  return url.startsWith("file:") && /\.ts(?:$|\?)/.test(url) && !url.includes("/node_modules/");
}
