import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path/posix";
import { transform, type Metafile, type TransformOptions } from "esbuild";

type Outputs = Metafile["outputs"];

/** What a script gets from its loader, `bin/program.js`. */
const PARAMETERS = "require,IMPORT,moduleUrl,define,beside";
const LOADER = "bin/program.js";
/** The folder of `dist/` with the hash of all scripts, and the modules through which extensions import the doors. */
const FOLDER = "program";
/** The share of a file from which on it counts as code of packages, whose names are in no stack trace of ours. */
const MOSTLY = 0.9;
const TARGET: TransformOptions = { target: "node22.19", platform: "node", legalComments: "none" };

/**
 * Rewrites the ES modules of a bundle so that the program can load each as a script too, for which V8 can store compiled code: the first line, a comment, has what a
 * script needs, and what lies between two marks is the text of both. Code that only the program loads is written without space and with short names of locals, and so is that of packages. Bundlers
 * do not follow an `import()` of a hidden file.
 */
export async function writeModules(
  dist: string,
  outputs: Outputs,
  isHidden: (entry: string) => boolean,
): Promise<void> {
  const doors = Object.keys(outputs).filter((file) => isDoor(file, dist, outputs));
  const library = reachableFrom(doors, outputs);
  const files = Object.keys(outputs).filter((file) => file.endsWith(".js"));
  const hidden = new Set(
    files.filter((file) => isHidden(outputs[file]?.entryPoint ?? "")).map((file) => basename(file)),
  );
  await Promise.all(
    files.map((file) => {
      const isDense = !library.has(file) || isMostlyPackages(file, outputs);
      return writeModule(file, dist, { isDense, hidden });
    }),
  );
  for (const door of doors) writeDoor(relative(dist, door), dist, outputs[door]?.exports ?? []);
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

function isMostlyPackages(file: string, outputs: Outputs): boolean {
  const { bytes = 0, inputs = {} } = outputs[file] ?? {};
  const ofPackages = Object.entries(inputs)
    .filter(([input]) => input.includes("node_modules/"))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return ofPackages > bytes * MOSTLY;
}

/** Rewrites an ES module as one that is a script too. */
export async function writeModule(
  file: string,
  dist: string,
  { isDense, hidden }: { readonly isDense: boolean; readonly hidden: ReadonlySet<string> },
): Promise<void> {
  // A file without exports is a module too.
  const { code } = await transform(`${readFileSync(file, "utf8")}\nexport {};`, {
    ...TARGET,
    format: "cjs",
    define: { "import.meta.url": "moduleUrl" },
    logOverride: { "empty-import-meta": "error" },
  });
  const { exports, imports, body } = parseScript(code, file);
  const text = namingTurbopack(hideImports((isDense ? await withoutSpace(body) : body).trimEnd(), hidden));
  await assertImports(text, file);
  const places = [...text.matchAll(/\bimport\(/g)].map(({ index }) => index);
  const usesUrl = /\bmoduleUrl\b/.test(text);
  // A script names other scripts by their place in `dist/`, which the loader need not work out. Scripts run in Node only.
  const placeOf = (path: string): string =>
    path.startsWith(".") ? `./${join(dirname(relative(dist, file)), path)}` : path;
  const requires = imports
    .map(
      ({ name, path }) =>
        `const ${name}=${path === "#platform" ? "globalThis" : `require("${placeOf(path)}")`};`,
    )
    .join("");
  const getters = exports.map(({ name, value }) => `${name}:()=>${value}`).join(",");
  writeFileSync(
    file,
    [
      `//[${places.join(",")}](function(${PARAMETERS}){"use strict";define({${getters}});${requires}`,
      ...imports.map(({ name, path }) => `import * as ${name} from "${path}";`),
      ...(usesUrl ? ["const moduleUrl = import.meta.url;"] : []),
      ...(text.includes(BESIDE)
        ? ["const here = import.meta.url, beside = (path) => new URL(path, here).href;"]
        : []),
      "//#body",
      text,
      "//#end",
      ...exportsOf(exports, imports),
      "",
    ].join("\n"),
  );
}

/** Restores `process.turbopack`, which Turbopack looks for, where esbuild has made `process` an import of ours. */
function namingTurbopack(text: string): string {
  return text.replaceAll(/\b[\w$]+\.process\.turbopack\b/g, "process.turbopack");
}

interface Export {
  readonly name: string;
  /** A name of the file, or a member of what it imports. */
  readonly value: string;
}

interface Import {
  readonly name: string;
  readonly path: string;
}

const HEAD = /^[^]*?(?:^|\n)module\.exports = __toCommonJS\(\w+\);\n/;
const EXPORTS = /__export\(\w+, \{\n([^]*?)\n\}\);\nmodule\.exports/;
const EXPORT = /^ {2}([\w$]+): \(\) => ([\w$.]+),?$/;
const IMPORT = /^var ([\w$]+) = (?:__toESM\()?require\("([^"]+)"\)(?:, 1\)|\))?;\n/;
const TAIL = /\n?\/\/ Annotate the CommonJS export names[^]*$/;

/** Takes apart what esbuild writes for an ES module as CommonJS. Throws if it has another form. */
function parseScript(code: string, file: string) {
  const head = HEAD.exec(code)?.[0];
  if (head === undefined) throw new Error(`${file}: esbuild wrote no exports`);
  const exports = (EXPORTS.exec(head)?.[1] ?? "").split("\n").flatMap((line): readonly Export[] => {
    if (line === "") return [];
    const [, name, value] = EXPORT.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`${file}: unexpected export ${line}`);
    return [{ name, value }];
  });
  const imports: Import[] = [];
  let body = code.slice(head.length).replace(TAIL, "\n");
  for (let match = IMPORT.exec(body); match !== null; match = IMPORT.exec(body)) {
    const [line, name = "", path = ""] = match;
    imports.push({ name, path });
    body = body.slice(line.length);
  }
  if (/^__reExport|^var \w+ = .*\brequire\("\.|^require\("/m.test(body))
    throw new Error(`${file} has an import that is not at its top`);
  return { exports, imports, body };
}

/** Writes the address of a hidden file in a way that bundlers take for any text; their own comments silence their warnings. */
function hideImports(text: string, hidden: ReadonlySet<string>): string {
  return text.replaceAll(
    /\bimport\((["'])(\.\/(?:[^"'/]+\/)*([^"'/]+))\1\)/g,
    (whole, _quote, path: string, name: string) =>
      hidden.has(name)
        ? `import(/* @vite-ignore */ /* webpackIgnore: true */ ${BESIDE}${JSON.stringify(path)}))`
        : whole,
  );
}

const BESIDE = "beside(";

/** An uncaught error prints the line that threw it. */
async function withoutSpace(body: string): Promise<string> {
  const { code } = await transform(body, {
    ...TARGET,
    minifyWhitespace: true,
    minifySyntax: true,
    // Only of locals: the names of functions stay, and stack traces have them.
    minifyIdentifiers: true,
    lineLimit: 160,
  });
  return code;
}

/** Each `import(` is taken for a call. Throws if one is a part of a text or a name: esbuild then leaves it when it writes imports without `import()`. */
async function assertImports(text: string, file: string): Promise<void> {
  const { code } = await transform(text, { ...TARGET, supported: { "dynamic-import": false } });
  const dynamicImport = /.{0,40}import\(.{0,20}/.exec(code)?.[0];
  if (dynamicImport !== undefined) throw new Error(`${file}: this is no import: ${dynamicImport}`);
}

function exportsOf(exports: readonly Export[], imports: readonly Import[]): readonly string[] {
  const own = exports.filter(({ value }) => !value.includes("."));
  const lines = imports.flatMap(({ name, path }) => {
    const passedOn = exports.filter(({ value }) => value.startsWith(`${name}.`));
    if (passedOn.length === 0) return [];
    const names = passedOn.map((one) => renamed(one.value.slice(name.length + 1), one.name));
    return [`export { ${names.join(", ")} } from "${path}";`];
  });
  if (own.length > 0)
    lines.push(`export { ${own.map(({ name, value }) => renamed(value, name)).join(", ")} };`);
  return lines;
}

function renamed(from: string, to: string): string {
  return from === to ? to : `${from} as ${to}`;
}

/** Writes the hash of all scripts, for which the code cache is valid. */
export function writeHash(dist: string): void {
  const hash = createHash("sha256");
  for (const file of globSync(`${dist}/{*,chunks/*,doors/*}.js`).sort())
    hash.update(relative(dist, file)).update(readFileSync(file));
  mkdirSync(join(dist, FOLDER), { recursive: true });
  writeFileSync(join(dist, FOLDER, "hash"), hash.digest("hex"));
}

/** Writes the ES module through which an extension imports a door of the running program. */
function writeDoor(door: string, dist: string, names: readonly string[]): void {
  const file = join(dist, FOLDER, "modules", door);
  // Relative to the folder of the package, whatever this one is called while it is built.
  const loader = relative(dirname(join("/dist", FOLDER, "modules", door)), join("/", LOADER));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `import program from ${JSON.stringify(loader)};\nexport const { ${names.join(", ")} } = program.load(${JSON.stringify(door)});\n`,
  );
}
