// Loads the program: the ES modules in dist/ as scripts, for which scripts/build/write-modules.ts prepares them, because only of a script V8 can store what was
// compiled while it ran: docs/decisions/0030-the-code-cache.md in the repository.
"use strict";
const { readFileSync } = require("fs");
const { dirname, join } = require("path");
const { pathToFileURL } = require("url");
const { Script } = require("vm");
const { openCodeCache } = require("./code-cache.js");

const ROOT = join(__dirname, "..");
const FOLDER = join(ROOT, "dist");
/** What lies between these lines is the text of the script and of the module. */
const [BODY, END] = ["\n//#body\n", "\n//#end\n"];

/** The scripts of this process by file: exports, script, and whether its functions came from the cache. */
const loaded = new Map();
let cache;
let requirePackage;

/** Reads what earlier runs of this kind of command compiled; the scripts that are loaded from now on use it. */
function useCodeOf(kind) {
  // The build writes the hash of all scripts: an upgrade changes neither their names nor their times.
  cache = openCodeCache(kind, readFileSync(join(FOLDER, "program", "hash"), "latin1"));
}

/** Stores what this process has compiled, if it is much that the cache does not have. Never throws. */
function storeCode() {
  if (cache !== undefined) cache.store(loaded);
}

/** Returns the exports of a script of the program, such as `main.js`; loads it if it is not loaded yet. */
function load(name) {
  return loadFile(join(FOLDER, name));
}

function loadFile(file) {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const folder = dirname(file);
  const url = pathToFileURL(file).href;
  const cachedData = cache === undefined ? undefined : cache.codeOf(file);
  const { source, lineOffset } = toScript(file);
  const script = new Script(source, { filename: url, lineOffset, cachedData });
  const exports = {};
  const isCached = cachedData !== undefined && script.cachedDataRejected === false;
  loaded.set(file, { exports, script, isCached });
  const requireFrom = (name) => (name.startsWith(".") ? loadFile(join(folder, name)) : requireOther(name));
  const importFrom = (name) =>
    name.startsWith(".") ? Promise.resolve().then(() => loadFile(join(folder, name))) : import(name);
  const define = (getters) => {
    for (const name in getters)
      Object.defineProperty(exports, name, { get: getters[name], enumerable: true });
  };
  // The query is for src/system/package-files.ts: this is the program.
  script.runInThisContext()(requireFrom, importFrom, `${url}?program`, define, (path) => path);
  return exports;
}

/** Returns the text of a module as a script, whose lines have the numbers that they have in the file. */
function toScript(file) {
  const text = readFileSync(file, "utf8");
  // The first line, a comment, has the places of `import(` in the body, which does not work in a script, and the head of the script.
  const [, places, head] = /^\/\/\[(.*?)\](.*)\n/.exec(text);
  const before = text.slice(0, text.indexOf(BODY) + BODY.length);
  let source = `${head}\n`;
  let from = before.length;
  for (const place of places === "" ? [] : places.split(",")) {
    const at = before.length + Number(place);
    source += `${text.slice(from, at)}IMPORT`;
    from = at + "import".length;
  }
  source += `${text.slice(from, text.lastIndexOf(END))}\n})`;
  return { source, lineOffset: before.split("\n").length - 2 };
}

/** Returns what a module of this package gets when it imports a package, `#undici` included. */
function requireOther(name) {
  requirePackage ??= require("module").createRequire(join(ROOT, "package.json"));
  const exports = requirePackage(name);
  return exports.__esModule === true
    ? exports
    : Object.assign(Object.create(null), exports, { default: exports });
}

module.exports = { load, storeCode, useCodeOf };
