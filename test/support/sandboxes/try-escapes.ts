// Tries to get out of the kinds of sandbox that its arguments name, as the user who runs it, and prints an object for each. Started by `sandbox-escapes.ts`.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { intoBox, probeBox } from "../../../src/system/box/box.ts";
import { readOnlyBox } from "../../../src/system/box/read-only-box.ts";
import type { Box } from "../../../src/system/box/types.ts";
import { runProcess } from "../../../src/system/process/process.ts";
import { browserBox } from "../../../src/tools/browser/page/browser-box.ts";
import { textOf } from "../engines/engine.ts";
import { openSandboxPlace, SECRET, whyNot, type Kind } from "../examples/sandbox-example.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What an attempt came to: true if it succeeded. */
export type EscapeAttempt = readonly [name: string, succeeded: boolean];

export interface TriedKind {
  readonly kind: string;
  /** Why nothing was tried. */
  readonly reason?: string;
  readonly attempts?: readonly EscapeAttempt[];
  /** What the attempts printed besides, or all of their output if that is none. */
  readonly printed?: string;
}

const PYTHON = "/usr/bin/python3";
const ATTEMPTS = readFileSync(resolve("test/support/sandboxes/escape-attempts.py"), "utf8");
const PATH = process.env["PATH"] ?? "";
const cleaning: (() => unknown)[] = [];
const t = { after: (clean: () => unknown) => void cleaning.push(clean) };

const outer = temporaryFolder(t);
const [workspace, home, folder] = ["workspace", "home", "outside"].map((name) => join(outer, name));
if (workspace === undefined || home === undefined || folder === undefined) throw new Error("no folders");
for (const one of [workspace, home, folder, join(folder, "shared")]) mkdirSync(one);
for (const name of ["file", "secret"]) writeFileSync(join(folder, name), SECRET);
const victim = spawn("sleep", ["600"], { stdio: "ignore" });
t.after(() => victim.kill("SIGKILL"));
const servers = [0, 1, 2].map(() => createServer((socket) => socket.destroy()));
const [onPort] = servers;
if (onPort === undefined) throw new Error("no server");
t.after(() => servers.map((server) => server.close()));
const abstract = `toolwright-escapes-${process.pid}`;
const places = [{ port: 0, host: "127.0.0.1" }, { path: join(folder, "socket") }, { path: `\0${abstract}` }];
for (const [index, server] of servers.entries())
  await new Promise<void>((done) => void server.listen(places[index], done));
const outside = JSON.stringify({
  pid: victim.pid,
  file: join(folder, "file"),
  secret: join(folder, "secret"),
  socket: join(folder, "socket"),
  port: (onPort.address() as AddressInfo).port,
  abstract,
});

/** Returns what was tried, from the output of the attempts: its last line that is a list. */
function toTried(kind: string, output: string): TriedKind {
  const lines = output.split("\n");
  const list = lines.findLast((line) => line.startsWith("[["));
  if (list === undefined) return { kind, attempts: [], printed: output.slice(-2000) };
  const attempts = JSON.parse(list) as readonly EscapeAttempt[];
  return {
    kind,
    attempts,
    printed: lines
      .filter((line) => line !== list)
      .join("\n")
      .slice(-2000),
  };
}

async function tryBox(kind: string, box: Box): Promise<TriedKind> {
  const reason = await whyNot("bubblewrap");
  if (reason !== false) return { kind, reason };
  const program = {
    file: PYTHON,
    args: ["-c", ATTEMPTS, outside],
    cwd: "/",
    environment: { PATH, HOME: "/nowhere" },
  };
  const { environment, ...boxed } = await intoBox(program, box, "bubblewrap");
  let output = "";
  await runProcess({ ...boxed, env: environment, onOutput: ({ text }) => void (output += text) });
  return toTried(kind, output);
}

/** Runs the attempts as a command of `shell` in the sandbox of a session. */
async function trySession(kind: Kind, name: string, options = {}): Promise<TriedKind> {
  const reason = await whyNot(kind);
  if (reason !== false) return { kind: name, reason };
  const place = await openSandboxPlace(t, kind, options);
  writeFileSync(join(place.workspace, "attempts.py"), ATTEMPTS);
  const command = `${PYTHON} attempts.py '${outside}' > output 2>&1`;
  const result = await place.shell(command, { timeout_seconds: 120 });
  const output = join(place.workspace, "output");
  await place.close();
  return toTried(name, existsSync(output) ? readFileSync(output, "utf8") : textOf(result));
}

/** The sandbox without what this tests: the attempts must succeed there, or they prove nothing. */
async function tryControl(): Promise<TriedKind> {
  const probe = await probeBox("bubblewrap");
  if (!probe.works) return { kind: "control", reason: probe.reason };
  const line =
    "--unshare-user --unshare-pid --unshare-ipc --die-with-parent --cap-drop ALL --ro-bind / / --tmpfs /tmp --tmpfs /sys --proc /proc --dev /dev --";
  let output = "";
  await runProcess({
    file: probe.program,
    args: [...line.split(" "), PYTHON, "-c", ATTEMPTS, outside],
    cwd: "/",
    env: { PATH },
    onOutput: ({ text }) => void (output += text),
  });
  return toTried("control", output);
}

const readOnly = readOnlyBox({
  workspace: [workspace],
  paths: [],
  home,
  searchPath: PATH,
  hidden: [],
  repositories: [],
});
const written: Box = { workspace: [workspace], readable: [], hasNetwork: false };
const kinds: Readonly<Record<string, () => Promise<TriedKind> | TriedKind>> = {
  control: tryControl,
  "read-only": () => tryBox("read-only", readOnly),
  "MCP server": () => tryBox("MCP server", written),
  browser: () => tryBox("browser", browserBox("/usr/bin", { own: folder, shared: join(folder, "shared") })),
  bubblewrap: () => trySession("bubblewrap", "bubblewrap"),
  "bubblewrap with file tools": () =>
    trySession("bubblewrap", "bubblewrap with file tools", { tools: "all" }),
  "bubblewrap with domains": () =>
    trySession("bubblewrap", "bubblewrap with domains", { domains: ["registry.test"] }),
  srt: () => trySession("srt", "srt"),
  podman: () => trySession("podman", "podman"),
  docker: () => ({ kind: "docker", reason: "no test has an engine of docker" }),
  process: () => ({ kind: "process", reason: "it claims no isolation" }),
};
const tried: TriedKind[] = [];
for (const name of ["control", ...process.argv.slice(2)]) {
  const found = await kinds[name]?.();
  if (found !== undefined) tried.push(found);
}
console.log(JSON.stringify(tried));
for (const clean of cleaning.toReversed()) await clean();
process.exit(0);
