// Fails when a room imports one it may not, when files import each other in a circle, or when a door is used from inside.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A room may import these and itself; `app` may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  system: ["core"],
  policy: ["core"],
  engine: ["core", "policy"],
  store: ["core", "system"],
  models: ["core", "system"],
  sources: ["core", "system"],
  tools: ["core", "system"],
  remote: ["core", "system", "engine", "store"],
  agent: ["core", "system", "engine", "store", "tools"],
  app: ["core", "system", "policy", "engine", "store", "models", "sources", "tools", "remote", "agent"],
};
const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
const graph = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...graph].flatMap(([file, imports]) => imports.flatMap((target) => faultOf(file, target)));
faults.push(...cycles());

for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${[...graph.values()].flat().length} imports, ${faults.length} faults`);
if (files.length === 0 || faults.length > 0) process.exit(1);

function importsOf(file: string): readonly string[] {
  const found = readFileSync(file, "utf8").matchAll(IMPORT);
  return [...found].map((match) => join(dirname(file), match[1] ?? ""));
}

function faultOf(file: string, target: string): readonly string[] {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (!graph.has(target)) return [`${file}: ${target} does not exist`];
  if (from === "door" || from === to) return [];
  if (to === "door") return [`${file}: imports the door ${target}; doors are for users`];
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return [`${file}: ${from} is not a room`];
  return allowed.includes(to) ? [] : [`${file}: ${from} may not import ${to} (${target})`];
}

function roomOf(file: string): string {
  const [, first = ""] = file.split("/");
  return first === "doors" || first.endsWith(".ts") ? "door" : first;
}

function cycles(): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push(`circle: ${[...trail.slice(start), file].join(" → ")}`);
    if (start >= 0 || done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return found;
}
