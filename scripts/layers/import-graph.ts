import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** Every source file and the source files it imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/** Reads the imports of all source files except tests; those of styles are left out. */
export function readImportGraph(): ImportGraph {
  const files = globSync(["src/**/*.{ts,cjs}", "web/**/*.{ts,tsx}"]).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  return new Map(files.sort().map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): readonly string[] {
  const specifiers = readFileSync(file, "utf8").matchAll(IMPORT);
  const paths = [...specifiers].map((match) => join(dirname(file), match[1] ?? ""));
  return paths.filter((path) => !path.endsWith(".css"));
}

/** The same imports between folders. */
export function toFolderGraph(graph: ImportGraph): ImportGraph {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const folder = dirname(file);
    const imported = folders.get(folder) ?? new Set<string>();
    folders.set(folder, imported);
    for (const target of targets) if (dirname(target) !== folder) imported.add(dirname(target));
  }
  return new Map([...folders].map(([folder, imported]) => [folder, [...imported]]));
}

/** Returns one line for each import cycle, such as `a → b → a`. */
export function findCycles(graph: ImportGraph): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start >= 0) cycles.push([...trail.slice(start), node].join(" → "));
    if (start >= 0 || done.has(node)) return;
    for (const target of graph.get(node) ?? []) visit(target, [...trail, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

/** Returns the longest import chain that starts at each file, as the list of its files. The graph must have no cycles. */
export function longestChains(graph: ImportGraph): ReadonlyMap<string, readonly string[]> {
  const chains = new Map<string, readonly string[]>();
  const chainOf = (file: string): readonly string[] => {
    const known = chains.get(file);
    if (known !== undefined) return known;
    let longest: readonly string[] = [];
    for (const target of graph.get(file) ?? []) {
      const chain = chainOf(target);
      if (chain.length > longest.length) longest = chain;
    }
    const chain = [file, ...longest];
    chains.set(file, chain);
    return chain;
  };
  for (const file of graph.keys()) chainOf(file);
  return chains;
}
