// Loads the program: scripts in dist/program/, which scripts/build/program-scripts.ts makes from the bundle. In place of ES modules they are scripts, because only
// of a script V8 can store what was compiled while it ran: docs/decisions/0030-the-code-cache.md in the repository.
"use strict";
const { readFileSync } = require("fs");
const { dirname, join } = require("path");
const { pathToFileURL } = require("url");
const { Script } = require("vm");
const { openCodeCache } = require("./code-cache.js");

const ROOT = join(__dirname, "..");
const FOLDER = join(ROOT, "dist", "program");

/** The scripts of this process by file: exports, script, and whether its functions came from the cache. */
const loaded = new Map();
let cache;
let requirePackage;

/** Reads what earlier runs of this kind of command compiled; the scripts that are loaded from now on use it. */
function useCodeOf(kind) {
  // The build writes the hash of all scripts: an upgrade changes neither their names nor their times.
  cache = openCodeCache(kind, readFileSync(join(FOLDER, "hash"), "latin1"));
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
  if (known !== undefined) return known.module.exports;
  const folder = dirname(file);
  const url = pathToFileURL(file).href;
  const cachedData = cache === undefined ? undefined : cache.codeOf(file);
  // The build writes ASCII only.
  const script = new Script(readFileSync(file, "latin1"), { filename: url, cachedData });
  const module = { exports: {} };
  const isCached = cachedData !== undefined && script.cachedDataRejected === false;
  loaded.set(file, { module, script, isCached });
  const requireFrom = (name) => (name.startsWith(".") ? loadFile(join(folder, name)) : requireOther(name));
  const importFrom = (name) =>
    name.startsWith(".") ? Promise.resolve().then(() => loadFile(join(folder, name))) : import(name);
  script.runInThisContext()(module.exports, requireFrom, module, importFrom, url);
  return module.exports;
}

/** Requires a package as the package's own files do, `#undici` included. */
function requireOther(name) {
  requirePackage ??= require("module").createRequire(join(ROOT, "package.json"));
  return requirePackage(name);
}

module.exports = { load, storeCode, useCodeOf };
