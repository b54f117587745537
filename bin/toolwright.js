#!/usr/bin/env node
// Plain JavaScript that any Node since 14.13 can read: it finds a Node that is new enough and runs the real program under it.
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const NEEDED = [22, 18];
/** Tells the process under the other Node that this one watches it. */
const LAUNCHED = "TOOLWRIGHT_LAUNCHED";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** How long the real process may take to end what it started when its launcher has died. */
const ORPHAN_MS = 5000;

const root = fileURLToPath(new URL("..", import.meta.url));
const program = new URL("../dist/app/cli/main.js", import.meta.url);
const args = process.argv.slice(2);
const isLaunched = process.env[LAUNCHED] !== undefined;
delete process.env[LAUNCHED];

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) printVersion();
else if (isNewEnough()) await run();
else await launch();

function printVersion() {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
  process.stdout.write(`${version}\n`);
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

async function run() {
  if (!existsSync(program)) return fail("it is not built yet; run `npm run prepare` in its folder");
  if (isLaunched) endWithLauncher();
  // Kept beside the package: whoever can write there can change the program anyway.
  if (module.enableCompileCache) module.enableCompileCache(`${root}node_modules/.cache/toolwright`);
  const { main } = await import(program.href);
  process.exit(await main(args, process));
}

/** The launcher's death closes the channel, whatever it died of; then this process ends as if its terminal had closed. */
function endWithLauncher() {
  process.on("disconnect", () => {
    setTimeout(() => process.exit(129), ORPHAN_MS).unref();
    process.kill(process.pid, "SIGHUP");
  });
  if (process.channel) process.channel.unref();
}

async function launch() {
  const node = isLaunched ? undefined : findNode();
  if (node === undefined) {
    const needed = NEEDED.join(".");
    return fail(
      `it needs Node ${needed} or newer and this is ${process.versions.node}; install a newer Node`,
    );
  }
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [fileURLToPath(import.meta.url), ...args], {
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
  const find = module.createRequire(import.meta.url);
  for (const folder of find.resolve.paths("node/package.json") || []) {
    const node = `${folder}/node/bin/node${process.platform === "win32" ? ".exe" : ""}`;
    if (existsSync(node)) return node;
  }
  return undefined;
}

function fail(reason) {
  process.stderr.write(`toolwright: ${reason}\n`);
  process.exitCode = 1;
}
