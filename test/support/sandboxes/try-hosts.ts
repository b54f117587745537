import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { createPolicyCommands } from "../../../src/app/host/policy.ts";
import type { Rule } from "../../../src/core/rule.ts";
import { createPolicy } from "../../../src/policy/policy.ts";
import { meansOwnMachine, readHost } from "../../../src/util/text/host/host.ts";
import { generateHostCommands, PORT, type HostCommand } from "../generators/generate-host.ts";
import { jobOf, SHELL } from "../engines/policy-jobs.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const BUBBLEWRAP = "bwrap";
const LIMIT_MS = 8000;

const LISTENS = "LISTENS";

/** Listens on every address of its network, and prints the own address of each connection; then runs a command. */
const WITNESS = `
const { createServer } = require("node:net");
const { spawn } = require("node:child_process");
const server = createServer((socket) => {
  console.log("CONNECTED " + socket.localAddress);
  socket.on("error", () => undefined).end("HTTP/1.0 200 OK\\r\\n\\r\\nhello");
});
server.listen(${PORT}, "::", () => {
  console.log("${LISTENS}");
  const child = spawn("bash", ["-c", process.argv[1]], { stdio: ["ignore", "ignore", "ignore"] });
  child.on("exit", () => process.exit());
});
`;

/**
 * Judges generated commands under a deny of the address that they connect to, runs what mode yolo allows in a network of its
 * own, and asserts that none reaches the address, except for what deny rules are documented not to see. Prints the counts.
 */
export async function tryHosts(t: TestContext, { seed, spellings, every }: HostTrial): Promise<void> {
  const commands = generateHostCommands(seed, spellings).filter((_, at) => at % every === 0);
  const place = createHostPlace(t);
  let [ran, beyond] = [0, 0];
  const harmful: string[] = [];
  for (const command of commands) {
    if (!(await isAllowed(command))) continue;
    ran += 1;
    if (!(await place.reaches(command))) continue;
    if (command.isBeyondRules) beyond += 1;
    else harmful.push(`${command.address}: ${command.text}`);
  }
  t.diagnostic(
    `seed ${seed}: tried ${commands.length}, ran ${ran}, effects ${harmful.length}, beyond what rules can see ${beyond}`,
  );
  assert.deepEqual(harmful, []);
}

export interface HostTrial {
  readonly seed: number;
  readonly spellings: number;
  /** Only every n-th command. */
  readonly every: number;
}

/** Runs a sample of the commands without a rule: returns how many were run, and how many reached the address. */
export async function tryWithoutRule(t: TestContext, { seed, spellings, every }: HostTrial) {
  const commands = generateHostCommands(seed, spellings).filter((_, at) => at % every === 0);
  const place = createHostPlace(t);
  const reached = [];
  for (const command of commands) if (await place.reaches(command)) reached.push(command.program);
  const programs = [...new Set(reached)].sort((one, other) => one.localeCompare(other));
  t.diagnostic(
    `without a rule: ran ${commands.length}, reached ${reached.length}, by ${programs.join(", ")}`,
  );
  return { ran: commands.length, reached: reached.length };
}

const COMMANDS = createPolicyCommands("/h", () => true);

async function isAllowed({ text, address }: HostCommand): Promise<boolean> {
  const rules: readonly Rule[] = [{ domain: address, decision: "deny" }];
  const layers = [{ name: "user", rules, mayAllow: true }];
  const policy = createPolicy({ mode: "yolo", workspace: ["/w"], home: "/h", commands: COMMANDS, layers });
  const fact = { kind: "command", text, cwd: "/w" } as const;
  const reading = await COMMANDS.read(fact);
  const job = jobOf([{ ...fact, reading }], { tool: SHELL, input: { command: text } });
  return policy.judge(job).kind === "allow";
}

function createHostPlace(t: TestContext) {
  const root = temporaryFolder(t);
  const work = join(root, "work");
  mkdirSync(work);
  writeFileSync(join(work, "a.txt"), "a\n");
  return {
    /** Runs a command in a network with nothing but loopback; returns true if it connects to its address. */
    async reaches({ text, address }: HostCommand): Promise<boolean> {
      const output = await runInBox(text, work);
      // Else nothing was tried, and no connection proves nothing.
      assert.ok(output.includes(LISTENS), `the sandbox of ${text} did not start: ${output}`);
      const denied = readHost(address);
      return [...output.matchAll(/CONNECTED (\S+)/g)].some(([, own = ""]) => {
        const { name, isOwn } = readHost(own);
        return name === denied.name || (isOwn && meansOwnMachine(denied));
      });
    },
  };
}

function runInBox(command: string, work: string): Promise<string> {
  const system = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--ro-bind",
    "/proc/sys",
    "/proc/sys",
  ];
  const program = dirname(process.execPath);
  // The project itself may be below /tmp.
  const node = ["--ro-bind", program, program];
  const own = ["--tmpfs", "/tmp", ...node, "--bind", work, work, "--chdir", work];
  const cut = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"];
  const path = `${program}:/usr/local/bin:/usr/bin:/bin`;
  const variables = ["--setenv", "PATH", path, "--setenv", "HOME", work];
  const args = [...system, ...own, ...cut, ...variables, process.execPath, "-e", WITNESS, command];
  return new Promise((resolve) => {
    execFile(BUBBLEWRAP, args, { timeout: LIMIT_MS, killSignal: "SIGKILL" }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    ).stdin?.end();
  });
}
