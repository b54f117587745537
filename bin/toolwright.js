#!/usr/bin/env node
// Plain JavaScript that any Node since 14 can read: finds a Node that is new enough and runs the program under it.
// CommonJS starts a few milliseconds sooner than an ES module.
"use strict";
const { existsSync, readFileSync } = require("fs");
const { join } = require("path");

const NEEDED = [22, 19];
/** Set for the process under the other Node: a launcher watches it. */
const LAUNCHED = "TOOLWRIGHT_LAUNCHED";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** In place of the number of a signal: see src/app/terminal/input/interrupt.ts. */
const FORWARDED = 0;
/** How long the program may take to end what it started after its launcher died. */
const ORPHAN_MS = 5000;
/** How long a program that stays runs before its compiled code is stored. */
const STORE_AFTER_MS = 30_000;

const root = join(__dirname, "..");
const program = join(root, "dist", "main.js");
const args = process.argv.slice(2);
const isLaunched = process.env[LAUNCHED] !== undefined;
delete process.env[LAUNCHED];

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) printVersion();
else if (!existsSync(program)) fail("not built yet; run `npm run prepare` in its folder");
else if (isNewEnough()) void run();
else launch();

function printVersion() {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  process.stdout.write(`${version}\n`);
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

async function run() {
  if (isLaunched) followLauncher();
  const { load, storeCode, useCodeOf } = require("./program.js");
  const kind = kindOf(args);
  useCodeOf(kind);
  const { COMMANDS, main } = load("main.js");
  const store = () => kind.split("-")[0] in COMMANDS && storeCode();
  // A program that stays is often killed, and V8 drops functions that have not run for long.
  setTimeout(store, STORE_AFTER_MS).unref();
  const code = await main(args, process);
  store();
  process.exit(code);
}

/**
 * Returns the command that a command line runs, as src/app/cli/main.ts finds it; each has compiled code of its own. So has a call of
 * `shell`: reading commands takes half as much code again, which other calls would load.
 */
function kindOf([name = "chat", tool]) {
  if (name === "--help" || name === "-h") return "help";
  if (name === "call" && tool === "shell") return "call-shell";
  return /^[a-z]+$/.test(name) ? name : "run";
}

/** The launcher's death closes the channel, whatever its cause; this process then ends as if its terminal had closed. */
function followLauncher() {
  process.on("disconnect", () => {
    setTimeout(() => process.exit(129), ORPHAN_MS).unref();
    process.kill(process.pid, "SIGHUP");
  });
  process.on("message", (signal) => {
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    else process.emit(signal, signal, FORWARDED);
  });
  if (process.channel) process.channel.unref();
}

function launch() {
  const node = isLaunched ? undefined : findNode();
  if (node === undefined) {
    const needed = NEEDED.join(".");
    fail(`needs Node ${needed} or newer, this is ${process.versions.node}; install a newer Node`);
    return;
  }
  const child = require("child_process").spawn(node, [process.argv[1], ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: Object.assign({}, process.env, { [LAUNCHED]: "1" }),
  });
  // A terminal sends its signals to the child too. Those from here are messages, so that the child can tell them apart.
  const forward = (signal) => (child.connected ? child.send(signal, () => undefined) : child.kill(signal));
  for (const signal of SIGNALS) process.on(signal, forward);
  child.on("error", (error) => fail(`cannot start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const one of SIGNALS) process.removeAllListeners(one);
    process.kill(process.pid, signal);
    // Reached only if this process ignores the signal.
    setTimeout(() => process.exit(1), 100);
  });
}

/** Returns the Node of the npm package `node`, in this package's own folder or hoisted above it. */
function findNode() {
  for (const folder of require.resolve.paths("node") || []) {
    const node = join(folder, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
    if (existsSync(node)) return node;
  }
  return undefined;
}

function fail(reason) {
  process.stderr.write(`toolwright: ${reason}\n`);
  process.exitCode = 1;
}
