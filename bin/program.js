// Loads the program: the ES modules in dist/ as scripts, for which scripts/build/write-modules.ts prepares them, because only of a script V8 can store what was
// compiled while it ran: docs/decisions/0030-the-code-cache.md in the repository.
"use strict";
const { readFileSync } = require("fs");
const { join, posix } = require("path");
const { pathToFileURL } = require("url");
const { Script } = require("vm");
const { openCodeCache } = require("./code-cache.js");

const ROOT = join(__dirname, "..");
const FOLDER = join(ROOT, "dist");
/** What lies between these lines is the text of the script and of the module. */
const [BODY, END] = ["\n//#body\n", "\n//#end\n"];

/** The scripts of this process by their place in `dist/`, such as `./main.js`: exports, script, and whether its functions came from the cache. */
const loaded = new Map();
const FOLDER_URL = pathToFileURL(FOLDER).href;
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
  return loadScript(`./${name}`);
}

function loadScript(place) {
  const known = loaded.get(place);
  if (known !== undefined) return known.exports;
  const stored = cache === undefined ? undefined : cache.find(place);
  const cachedData = stored === undefined ? undefined : stored.code;
  const { source, lineOffset } =
    stored === undefined || stored.source === undefined ? toScript(`${FOLDER}/${place}`) : stored;
  // The build chooses the names: they need no escapes.
  const url = FOLDER_URL + place.slice(1);
  const script = new Script(source, { filename: url, lineOffset, cachedData });
  const exports = {};
  const isCached = cachedData !== undefined && script.cachedDataRejected === false;
  loaded.set(place, { exports, script, source, lineOffset, isCached });
  const requireFrom = (name) => (name.startsWith(".") ? loadScript(name) : requireOther(name));
  const importFrom = (name) =>
    name.startsWith(".")
      ? Promise.resolve().then(() => loadScript(`./${posix.join(posix.dirname(place), name)}`))
      : import(name);
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
