import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path/posix";
import { transform, type Metafile } from "esbuild";

type Outputs = Metafile["outputs"];

/** The folder of the program in `dist/`. */
const FOLDER = "program";
/** What a script gets from its loader, `bin/program.js`. */
const PARAMETERS = "exports,require,module,IMPORT,moduleUrl";
/** How esbuild writes `import(x)` if there is none. A script has none that works. */
const DYNAMIC_IMPORT =
  /Promise\s*\.\s*resolve\s*\(\s*\)\s*\.\s*then\s*\(\s*\(\s*\)\s*=>\s*[\w$]+\s*\(\s*require\s*\(/g;
const LOADER = "bin/program.js";

/**
 * Writes the program of a bundle as scripts, for which V8 can store compiled code: the files that `main` loads, and those of the doors, which extensions
 * import. Each door also gets an ES module in `modules/`, through which an extension has the classes of the program itself. Files that only the program loads
 * are removed as ES modules.
 */
export async function writeProgramScripts(dist: string, outputs: Outputs): Promise<void> {
  const doors = Object.keys(outputs).filter((file) => isDoor(file, dist, outputs));
  const library = reachableFrom(doors, outputs);
  const files = Object.keys(outputs).filter((file) => file.endsWith(".js"));
  await Promise.all(files.map((file) => writeScript(file, dist)));
  for (const door of doors) writeDoor(relative(dist, door), dist, outputs[door]?.exports ?? []);
  for (const file of files.filter((file) => !library.has(file))) {
    rmSync(file);
    rmSync(`${file}.map`);
  }
}

/** Files that are loaded with `import()` are entry points too; their output is a chunk. */
function isDoor(file: string, dist: string, outputs: Outputs): boolean {
  const isEntry = outputs[file]?.entryPoint !== undefined && !relative(dist, file).startsWith("chunks/");
  return isEntry && relative(dist, file) !== "main.js";
}

function reachableFrom(files: readonly string[], outputs: Outputs): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (external !== true) reached.add(path);
  }
  return reached;
}

/** Writes the ES module of a bundle as a script: a function of what its loader gives it. */
export async function writeScript(file: string, dist: string): Promise<void> {
  const output = join(dist, FOLDER, relative(dist, file));
  const script = await transform(readWithMap(file), {
    format: "cjs",
    platform: "node",
    target: "node22.19",
    minify: true,
    // An uncaught error prints the line that threw it.
    lineLimit: 160,
    legalComments: "none",
    sourcemap: existsSync(`${file}.map`) ? "external" : false,
    sourcesContent: false,
    sourcefile: basename(file),
    define: { "import.meta.url": "moduleUrl" },
    logOverride: { "empty-import-meta": "error" },
    supported: { "dynamic-import": false },
    banner: `(function(${PARAMETERS}){`,
    footer: "})",
  });
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, script.code.replace(DYNAMIC_IMPORT, passedIn));
  if (script.map !== "") writeFileSync(`${output}.map`, moveMap(script.map, file, output));
}

/** Returns the call of the loader's function, with lines of the same length, so that the map stays right. */
function passedIn(dynamicImport: string): string {
  const lines = dynamicImport.split("\n");
  const widest = Math.max(...lines.map(({ length }) => length));
  const at = lines.findIndex(({ length }) => length === widest);
  return lines.map(({ length }, index) => (index === at ? "IMPORT(((" : "").padEnd(length)).join("\n");
}

/** Writes the hash of all scripts, for which the code cache is valid. */
export function writeHash(dist: string): void {
  const hash = createHash("sha256");
  for (const file of globSync(`${dist}/${FOLDER}/**/*.js`).sort())
    hash.update(relative(dist, file)).update(readFileSync(file));
  writeFileSync(join(dist, FOLDER, "hash"), hash.digest("hex"));
}

/** Returns a source map whose sources are relative to another file. */
function moveMap(text: string, from: string, to: string): string {
  const map = JSON.parse(text) as { readonly sources: readonly string[] };
  const sources = map.sources.map((source) => relative(dirname(to), join(dirname(from), source)));
  return JSON.stringify({ ...map, sources });
}

/** Returns the text of a file with its source map, if it has one, at its end. */
export function readWithMap(file: string): string {
  const code = readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n");
  if (!existsSync(`${file}.map`)) return code;
  const map = readFileSync(`${file}.map`).toString("base64");
  return `${code}//# sourceMappingURL=data:application/json;base64,${map}\n`;
}

/** Writes the ES module through which an extension imports a door of the running program. */
function writeDoor(door: string, dist: string, names: readonly string[]): void {
  const file = join(dist, FOLDER, "modules", door);
  const loader = relative(join("/", dirname(file)), join("/", LOADER));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `import program from ${JSON.stringify(loader)};\nexport const { ${names.join(", ")} } = program.load(${JSON.stringify(door)});\n`,
  );
}
