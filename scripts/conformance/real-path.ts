import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { startProxy } from "./proxy.ts";

/** The suite's own reference server, and our gateway in front of it. */
export interface RealPath {
  /** The address of the reference server. */
  readonly reference: string;
  /** The address of the gateway that has the reference server behind it. */
  readonly gateway: string;
  close(): Promise<void>;
}

const SERVER = "everything";

/** Starts the reference server from its source file, and the real program with that server in its config. */
export async function startRealPath(source: string): Promise<RealPath> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-real-path-"));
  const program = join(folder, "everything-server.cjs");
  await build({
    // With the packages installed here: an older SDK loses answers that a client polls for.
    stdin: { contents: readFileSync(source, "utf8"), resolveDir: resolve("."), loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
  const port = await freePort();
  const reference = `http://localhost:${port}/mcp`;
  const server = start([program], folder, { PORT: String(port) });
  await lineOf(server, (line) => line.includes("MCP endpoint"));
  // Its part for the protocol without a handshake answers calls without the required resultType.
  const legacy = await startProxy(reference, { isLegacy: true });
  const config = { mcpServers: { [SERVER]: { url: legacy.address } }, mode: "yolo" };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const work = mkdtempSync(join(tmpdir(), "toolwright-real-path-work-"));
  const launcher = resolve("bin/toolwright.js");
  const gateway = start([launcher, "mcp", "--http", "0"], work, { HOME: folder, TOOLWRIGHT_HOME: folder });
  const proxy = await startProxy((await lineOf(gateway, (line) => line.startsWith("http"))).trim(), {
    server: SERVER,
  });
  return {
    reference,
    gateway: proxy.address,
    async close() {
      await proxy.close();
      await Promise.all([end(gateway), end(server)]);
      await legacy.close();
      for (const one of [folder, work]) rmSync(one, { recursive: true, force: true });
    },
  };
}

function start(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
): ChildProcess {
  const env = { PATH: process.env["PATH"], ...variables };
  return spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
}

async function lineOf(child: ChildProcess, isWanted: (line: string) => boolean): Promise<string> {
  if (child.stdout === null) throw new Error("the program has no standard output");
  for await (const line of createInterface({ input: child.stdout })) {
    if (!isWanted(line)) continue;
    child.stdout.resume();
    return line;
  }
  throw new Error("the program ended before it was ready");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
