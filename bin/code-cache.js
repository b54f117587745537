// The functions that ran, as V8 compiled them, for the next process that runs the same command.
"use strict";
const fs = require("fs");
const { homedir } = require("os");
const { join } = require("path");

/** The package's folder comes first: a user who can write there can change the program anyway. A rule protects both from tools: src/policy/protect/protected.ts. */
const FOLDERS = [join(__dirname, "..", "node_modules", ".cache"), join(homedir(), ".cache")];
/** A command whose scripts are all cached is compared with its cache at most once in this time. */
const COMPARE_MS = 60_000;
/** Compiled code that is worth writing the cache again. */
const MUCH_BYTES = 32 * 1024;
/** V8 checks its version and flags too; a cache that it does not accept is replaced. */
const KEY = [process.version, process.arch, ...process.execArgv, process.env.NODE_OPTIONS].join(" ");

/** Opens the cache of a kind of command. Without a folder that only this user can write, or a readable cache, it is empty. Never throws. */
function openCodeCache(kind) {
  const folder = process.env.NODE_DISABLE_COMPILE_CACHE === undefined ? findFolder() : undefined;
  const file = folder === undefined ? undefined : join(folder, kind);
  const codes = (file !== undefined && readCache(file)) || new Map();
  return {
    /** Returns the code of a script that has not been changed since it was compiled. */
    codeOf(path, mtimeMs) {
      const found = codes.get(path);
      return found !== undefined && found.mtimeMs === mtimeMs ? found.code : undefined;
    },
    /** Writes the code of these scripts, if much of it is not in the cache. */
    store(loaded) {
      if (file === undefined) return;
      try {
        const isKnown = [...loaded.values()].every(({ isCached }) => isCached);
        if (isKnown && !isDue(file)) return;
        const now = new Map([...codes].filter(([path]) => fs.existsSync(path)));
        for (const [path, { script, mtimeMs }] of loaded)
          now.set(path, { mtimeMs, code: script.createCachedData() });
        if (!isKnown || bytesOf(now) > bytesOf(codes) + MUCH_BYTES) writeCache(file, now);
      } catch {
        // A full disk, for one: the next process compiles again.
      }
    },
  };
}

function bytesOf(codes) {
  return [...codes.values()].reduce((sum, { code }) => sum + code.length, 0);
}

/** The code is executed: nobody else may be able to write it. */
function findFolder() {
  for (const parent of FOLDERS) {
    const folder = join(parent, "toolwright", "code");
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const found = fs.lstatSync(folder);
      if (found.isDirectory() && isOwn(found)) return folder;
    } catch {
      // Not writable: the next one.
    }
  }
  return undefined;
}

/** Windows has no such numbers; there the folder is in the user's profile. */
function isOwn({ uid, mode }) {
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o77) === 0);
}

/** Compares now only if that was not done lately; the time of the file says when. */
function isDue(file) {
  const now = Date.now();
  if (Math.abs(now - fs.statSync(file).mtimeMs) < COMPARE_MS) return false;
  fs.utimesSync(file, now / 1000, now / 1000);
  return true;
}

/** Returns the code by script. Undefined if the cache is missing, damaged, or made by another Node or with other flags. */
function readCache(file) {
  try {
    const all = fs.readFileSync(file);
    const half = all.length / 2;
    // Everything is there twice. V8 does not check the code, and crashes on what is damaged; a checksum would need a module that loads for longer than this takes.
    if (all.compare(all, half, all.length, 0, half) !== 0) return undefined;
    let at = all.indexOf("\n") + 1;
    const { key, scripts } = JSON.parse(all.latin1Slice(0, at));
    if (key !== KEY) return undefined;
    const codes = new Map();
    for (const { path, mtimeMs, length } of scripts) {
      codes.set(path, { mtimeMs, code: all.subarray(at, at + length) });
      at += length;
    }
    return codes;
  } catch {
    return undefined;
  }
}

/** Replaces the file at once, so that no other process reads a part of it. */
function writeCache(file, codes) {
  const scripts = [...codes].map(([path, { mtimeMs, code }]) => ({ path, mtimeMs, length: code.length }));
  const head = Buffer.from(`${JSON.stringify({ key: KEY, scripts })}\n`);
  const half = Buffer.concat([head, ...[...codes.values()].map(({ code }) => code)]);
  const temporary = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, Buffer.concat([half, half]), { mode: 0o600, flag: "wx" });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

module.exports = { openCodeCache };
