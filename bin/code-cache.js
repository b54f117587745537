// The functions that ran, as V8 compiled them, for the next process that runs the same command.
"use strict";
const fs = require("fs");
const { homedir } = require("os");
const { dirname, join } = require("path");

/** The package's folder comes first: a user who can write there can change the program anyway. A rule protects both from tools: src/policy/protect/protected.ts. */
const OWN_FOLDER = join(__dirname, "..", "node_modules", ".cache");
const FOLDERS = [OWN_FOLDER, join(homedir(), ".cache")];
/** How long a cache that no command uses stays in the user's folder. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
/** A command whose scripts are all cached is compared with its cache at most once in this time. */
const COMPARE_MS = 60_000;
/** Compiled code that is worth writing the cache again. */
const MUCH_BYTES = 32 * 1024;
/** The form of the file comes first. V8 checks its version and flags too; a cache that it does not accept is replaced. Of a script it checks the length alone. */
const NODE = [2, process.version, process.arch, ...process.execArgv, process.env.NODE_OPTIONS].join(" ");

/** Opens the cache of a kind of command, for scripts with this hash. Without a folder that only this user can write, or a readable cache, it is empty. Never throws. */
function openCodeCache(kind, hash) {
  const key = `${NODE} ${hash}`;
  const folder = process.env.NODE_DISABLE_COMPILE_CACHE === undefined ? findFolder() : undefined;
  const file =
    folder === undefined ? undefined : join(folder.path, folder.isOwn ? kind : `${kind}.${hash.slice(0, 8)}`);
  const stored = (file !== undefined && readCache(file, key)) || new Map();
  return {
    /** Returns the text and the compiled code of a script; undefined if the cache does not have it. */
    find: (place) => stored.get(place),
    /** Writes the text and the code of these scripts, if much of the code is not in the cache. */
    store(loaded) {
      if (file === undefined) return;
      try {
        const isKnown = [...loaded.values()].every(({ isCached }) => isCached);
        if (isKnown && !isDue(file)) return;
        const now = new Map(stored);
        for (const [place, { script, source, lineOffset }] of loaded)
          now.set(place, { source, lineOffset, code: script.createCachedData() });
        if (isKnown && bytesOf(now) <= bytesOf(stored) + MUCH_BYTES) return;
        writeCache(file, key, now);
        if (!folder.isOwn) removeUnused(folder.path);
      } catch {
        // A full disk, for one: the next process compiles again.
      }
    },
  };
}

function bytesOf(scripts) {
  return [...scripts.values()].reduce((sum, { code }) => sum + code.length, 0);
}

/** The code is executed: no other user may be able to write it, or to exchange a folder above it. */
function findFolder() {
  for (const parent of FOLDERS) {
    const folder = join(parent, "toolwright", "code");
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const stats = fs.lstatSync(folder);
      if (!stats.isDirectory() || !isOwn(stats)) continue;
      const real = fs.realpathSync.native(folder);
      // The packages of several versions share the user's folder.
      if (isSafeBelow(dirname(real))) return { path: real, isOwn: parent === OWN_FOLDER };
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

/** Returns true if only this user and root can exchange what is in the folder, and in each folder above it. In a folder with the sticky bit, such as /tmp, others cannot. */
function isSafeBelow(folder) {
  if (process.geteuid === undefined) return true;
  const { uid, mode } = fs.lstatSync(folder);
  const isTrusted = uid === 0 || uid === process.geteuid();
  if (!isTrusted || ((mode & 0o22) !== 0 && (mode & 0o1000) === 0)) return false;
  const above = dirname(folder);
  return above === folder || isSafeBelow(above);
}

/** Compares now only if that was not done lately; the time of the file says when. */
function isDue(file) {
  const now = Date.now();
  if (Math.abs(now - fs.statSync(file).mtimeMs) < COMPARE_MS) return false;
  fs.utimesSync(file, now / 1000, now / 1000);
  return true;
}

/** Returns the scripts by their place. Undefined if the cache is missing, damaged, or of another Node, other flags or other scripts. */
function readCache(file, expected) {
  try {
    const all = fs.readFileSync(file);
    const half = all.length / 2;
    // Everything is there twice. V8 does not check the code, and crashes on what is damaged; a checksum would need a module that loads for longer than this takes.
    if (all.compare(all, half, all.length, 0, half) !== 0) return undefined;
    const head = all.indexOf("\n") + 1;
    const { key, characters, scripts } = JSON.parse(all.latin1Slice(0, head));
    if (key !== expected) return undefined;
    // One text for all: parts of it are no copies, and V8 does not move a text of this size when it collects garbage.
    const texts = all.latin1Slice(head, head + characters);
    let [from, at] = [0, head + characters];
    const stored = new Map();
    for (const [place, lineOffset, length, bytes] of scripts) {
      const source = length === 0 ? undefined : texts.slice(from, from + length);
      stored.set(place, { source, lineOffset, code: all.subarray(at, at + bytes) });
      from += length;
      at += bytes;
    }
    return stored;
  } catch {
    return undefined;
  }
}

/** Replaces the file at once, so that no other process reads a part of it. */
function writeCache(file, key, stored) {
  const texts = [];
  const scripts = [...stored].map(([place, { source, lineOffset, code }]) => {
    // A byte is a character. Few scripts have others; they are read from their files.
    const text = source !== undefined && Buffer.byteLength(source) === source.length ? source : "";
    texts.push(text);
    return [place, lineOffset, text.length, code.length];
  });
  const text = texts.join("");
  const head = `${JSON.stringify({ key, characters: text.length, scripts })}\n`;
  const half = Buffer.concat([Buffer.from(head + text), ...[...stored.values()].map(({ code }) => code)]);
  const temporary = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, Buffer.concat([half, half]), { mode: 0o600, flag: "wx" });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the caches of versions that are no longer used: the time of a file says when a command last compared it. */
function removeUnused(folder) {
  const before = Date.now() - KEEP_MS;
  for (const name of fs.readdirSync(folder)) {
    const file = join(folder, name);
    if (fs.statSync(file).mtimeMs < before) fs.rmSync(file, { force: true });
  }
}

module.exports = { openCodeCache };
