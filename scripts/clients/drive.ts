import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../../src/core/json.ts";
import { startModel } from "./model.ts";
import { CANCELLED, NOTES, PARTS, REASON, checkTools, startedPid, type Part } from "./parts.ts";
import type { ClientUnderTest, Setting } from "./table.ts";
import type { Received } from "./wires.ts";
import { defined } from "../../src/util/json/defined.ts";

const LAUNCHER = resolve("bin/toolwright.js");
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const LIMIT_MS = 240_000;

/** The outcome of one part; without a problem it passed. */
export interface Outcome {
  readonly part: string;
  readonly problem?: string;
}

interface Place {
  readonly root: string;
  readonly folder: string;
  readonly home: string;
}

/** Runs a client through every part against a scripted model, with the gateway as its only server. */
export async function driveClient(client: ClientUnderTest, program: string): Promise<readonly Outcome[]> {
  const place = createPlace();
  try {
    const { received, output } = await talk({ client, program, place }, PARTS);
    const missing = `no result; the client printed: ${output.trim().slice(-300)}`;
    return [
      outcomeOf("list", checkTools(received)),
      ...PARTS.map(({ name, check }, index) => {
        const result = received.results[index];
        return outcomeOf(name, result === undefined ? missing : check(result, place.folder));
      }),
      outcomeOf(CANCELLED.name, await cancel({ client, program, place })),
    ];
  } finally {
    rmSync(place.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function outcomeOf(part: string, problem: string | undefined): Outcome {
  return { part, ...defined({ problem }) };
}

interface Session {
  readonly client: ClientUnderTest;
  /** The path of the client's program. */
  readonly program: string;
  readonly place: Place;
}

/** Runs the client until it ends, and returns all that its model received. */
async function talk(
  session: Session,
  parts: readonly Part[],
): Promise<{ received: Received; output: string }> {
  const running = await start(session, parts);
  const timer = setTimeout(() => running.child.kill("SIGKILL"), LIMIT_MS);
  const output = await running.ended;
  clearTimeout(timer);
  await running.close();
  return { received: running.received(), output };
}

/** Interrupts the client during a call; returns a problem if the call's process does not end. */
async function cancel(session: Session): Promise<string | undefined> {
  const running = await start(session, [CANCELLED]);
  const limit = performance.now() + LIMIT_MS;
  const until = async (isSo: () => boolean): Promise<boolean> => {
    while (!isSo() && performance.now() < limit) await wait(100);
    return isSo();
  };
  const { child } = running;
  const hasStarted = (): boolean => startedPid(session.place.folder) !== undefined;
  try {
    await until(() => hasStarted() || child.exitCode !== null);
    if (!hasStarted()) return "the call did not start";
    child.kill("SIGINT");
    const pid = startedPid(session.place.folder) ?? 0;
    return (await until(() => !isRunning(pid))) ? undefined : "the process of the call is still running";
  } finally {
    running.child.kill("SIGKILL");
    await running.ended;
    await running.close();
  }
}

interface Running {
  readonly child: ChildProcess;
  /** Resolves with the output when the client has ended. */
  readonly ended: Promise<string>;
  received(): Received;
  close(): Promise<void>;
}

async function start({ client, program, place }: Session, parts: readonly Part[]): Promise<Running> {
  const approving: Promise<void>[] = [];
  const closed = new AbortController();
  const model = await startModel(
    parts.map(({ step }) => step),
    (index) => {
      const answer = parts[index]?.answer;
      if (answer !== undefined) approving.push(approve(place, answer, closed.signal));
    },
  );
  const url = `http://127.0.0.1:${model.port}`;
  const setting: Setting = { url, home: place.home, prompt: "Do the task of the script." };
  for (const [path, content] of Object.entries(client.files?.(setting) ?? {}))
    write(place.home, path, content);
  await run(place, [process.execPath, LAUNCHER, "mcp", "install", client.installer, "--write"]);
  const env = { ...environment(place), ...client.env?.(setting) };
  if (client.prepare !== undefined) await run(place, [program, ...client.prepare(setting)], env);
  const child = spawn(program, client.args(setting), {
    cwd: place.folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    child,
    ended: output.then((all) => all.join("\n")),
    received: model.received,
    async close() {
      closed.abort();
      await Promise.all(approving);
      await model.close();
    },
  };
}

/** Answers the next waiting call in the queue. */
async function approve(place: Place, answer: "grant" | "deny", signal: AbortSignal): Promise<void> {
  const flags = answer === "grant" ? [] : ["--deny", "--reason", REASON];
  while (!signal.aborted) {
    const listed = await run(place, [process.execPath, LAUNCHER, "approve", "--json"]);
    const [waiting] = JSON.parse(listed || "[]") as readonly { readonly id: string }[];
    if (waiting !== undefined) {
      // It may be the call before, which has its answer already.
      const answered = run(place, [process.execPath, LAUNCHER, "approve", waiting.id, ...flags]);
      if (await answered.then(() => true).catch(() => false)) return;
    }
    await wait(200);
  }
}

function createPlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-client-")));
  const [folder, home] = [mkdtempSync(join(root, "work-")), mkdtempSync(join(root, "home-"))];
  writeFileSync(join(folder, "notes.txt"), NOTES);
  writeFileSync(join(folder, "pixel.png"), Buffer.from(PIXEL, "base64"));
  const outputSchema = { type: "object", properties: { rows: { type: "array" } } };
  const tool = { name: "answer", description: "Answers.", inputSchema: { type: "object" }, outputSchema };
  write(home, "plan.json", { tools: [tool] });
  const args = [resolve("test/support/servers/mcp-server.ts"), join(home, "plan.json")];
  write(home, ".toolwright/config.json", {
    mcpServers: { raw: { command: process.execPath, args } },
    // Only the steps that are about approvals need one.
    afterUntrustedText: "off",
    // Without a screen, Codex declines every form.
    mcpClients: { "codex*": { approvals: "queue" } },
  });
  write(home, ".toolwright/policy.json", {
    rules: [
      { tool: "raw__*", decision: "allow" },
      { tool: "shell", command: ["seq"], decision: "allow" },
    ],
  });
  return { root, folder, home };
}

function write(home: string, path: string, content: JsonObject | string): void {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
}

/** An empty home, and a proxy that refuses everything outside of this machine. */
function environment({ home }: Place): Record<string, string> {
  const proxy = "http://127.0.0.1:9";
  const none = "127.0.0.1,localhost";
  const path = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  return {
    PATH: path,
    HOME: home,
    HTTPS_PROXY: proxy,
    HTTP_PROXY: proxy,
    NO_PROXY: none,
    no_proxy: none,
    CI: "1",
  };
}

/** Runs a program to its end and returns its standard output. */
async function run(
  place: Place,
  [program = "", ...args]: readonly string[],
  env = environment(place),
): Promise<string> {
  const child = spawn(program, args, { cwd: place.folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (child.exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${child.exitCode}: ${stderr}`);
  return stdout;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
