import { globSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** Deletes the type declarations that no export of the package needs; the compiler writes one for every source file. */
export function pruneDeclarations(dist: string): void {
  const needed = new Set<string>();
  const queue = [`${dist}/index.d.ts`, ...globSync(`${dist}/doors/*.d.ts`)];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (needed.has(file)) continue;
    needed.add(file);
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      queue.push(join(dirname(file), path.replace(/\.(?:ts|js)$/, ".d.ts")));
    }
  }
  for (const file of globSync(`${dist}/**/*.d.ts`)) if (!needed.has(file)) rmSync(file);
  for (const file of needed) nameLibrary(file);
  removeEmptyFolders(dist);
}

/** Names the library of TypeScript that has `AsyncDisposable`, for programs whose `lib` does not have it. */
function nameLibrary(file: string): void {
  const text = readFileSync(file, "utf8");
  if (/\bAsyncDisposable\b|\bSymbol\.asyncDispose\b/.test(text))
    writeFileSync(file, `/// <reference lib="esnext.disposable" />\n${text}`);
}

function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
