#!/usr/bin/env node
// Plain JavaScript that any Node since 14 can read: it finds a Node that is new enough and runs the real program under it.
// CommonJS, as that starts some milliseconds sooner.
"use strict";
const { existsSync, readFileSync } = require("fs");
const { join } = require("path");

const NEEDED = [22, 18];
/** Tells the process under the other Node that this one watches it. */
const LAUNCHED = "TOOLWRIGHT_LAUNCHED";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** How long the real process may take to end what it started when its launcher has died. */
const ORPHAN_MS = 5000;

const root = join(__dirname, "..");
const program = join(root, "dist", "app", "cli", "main.js");
const args = process.argv.slice(2);
const isLaunched = process.env[LAUNCHED] !== undefined;
delete process.env[LAUNCHED];

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) printVersion();
else if (!existsSync(program)) fail("it is not built yet; run `npm run prepare` in its folder");
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
  if (isLaunched) endWithLauncher();
  const { enableCompileCache, registerHooks } = require("module");
  // Kept beside the package: whoever can write there can change the program anyway.
  enableCompileCache(join(root, "node_modules", ".cache", "toolwright"));
  const { pathToFileURL } = require("url");
  registerHooks({ resolve: findIn(`${pathToFileURL(join(root, "dist")).href}/`) });
  const { main } = await import(pathToFileURL(program).href);
  process.exit(await main(args, process));
}

/** Our own modules lie where their imports say: to have Node look for each of them takes as long as to load it. */
function findIn(folder) {
  return (specifier, context, next) => {
    const from = context.parentURL || "";
    const isOurs = from.startsWith(folder) && specifier.startsWith(".") && specifier.endsWith(".js");
    if (!isOurs) return next(specifier, context);
    return { url: new URL(specifier, from).href, format: "module", shortCircuit: true };
  };
}

/** The launcher's death closes the channel, whatever it died of; then this process ends as if its terminal had closed. */
function endWithLauncher() {
  process.on("disconnect", () => {
    setTimeout(() => process.exit(129), ORPHAN_MS).unref();
    process.kill(process.pid, "SIGHUP");
  });
  if (process.channel) process.channel.unref();
}

function launch() {
  const node = isLaunched ? undefined : findNode();
  if (node === undefined) {
    const needed = NEEDED.join(".");
    fail(`it needs Node ${needed} or newer and this is ${process.versions.node}; install a newer Node`);
    return;
  }
  const child = require("child_process").spawn(node, [process.argv[1], ...args], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: Object.assign({}, process.env, { [LAUNCHED]: "1" }),
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`it cannot start ${node}: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const one of SIGNALS) process.removeAllListeners(one);
    process.kill(process.pid, signal);
    // Only a signal that this process ignores lets it come this far.
    setTimeout(() => process.exit(1), 100);
  });
}

/** The Node that comes with the npm package `node`, in the package's own folder or hoisted above it. */
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
