import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../../../core/json.ts";
import { findProgram } from "../../../system/box/find-program.ts";
import { packageFile } from "../../../system/package-files.ts";
import { runProcess } from "../../../system/process/process.ts";

/** How many workers the demo has. */
export const WORKERS = 2;

/** A server of NATS and workers, for the demo alone. */
export interface DemoFleet extends AsyncDisposable {
  /** The setting `fleet`: commands go to the workers. */
  readonly settings: JsonObject;
  /** Starts the workers in a folder; they take calls a second or two later. */
  startWorkers(workspace: string): void;
}

interface DemoFleetOptions {
  /** Everything that is written is in it. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Starts a server of NATS; undefined if nats-server or the packages of a fleet are not installed, or it does not start. */
export async function startDemoFleet({
  folder,
  variables,
}: DemoFleetOptions): Promise<DemoFleet | undefined> {
  const server = findProgram("nats-server", variables["PATH"] ?? "");
  if (server === undefined || !(await hasPackages())) return undefined;
  const ending = new AbortController();
  const running: Promise<unknown>[] = [];
  const env = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const start = (file: string, args: readonly string[], place: Place): void => {
    const ended = runProcess({
      file: "/bin/sh",
      args: ["-c", UNTIL_INPUT_ENDS, "sh", file, ...args],
      cwd: place.cwd,
      env: { ...env, ...place.env },
      signal: ending.signal,
      stdin: () => undefined,
      onOutput: () => undefined,
    });
    running.push(ended.catch(() => undefined));
  };
  const port = await freePort();
  const [store, key] = [join(folder, "nats"), join(folder, "fleet.key")];
  mkdirSync(store, { recursive: true, mode: 0o700 });
  writeFileSync(key, randomBytes(32).toString("hex"), { mode: 0o600 });
  start(server, ["-js", "-sd", store, "-a", "127.0.0.1", "-p", String(port)], { cwd: store });
  const close = async (): Promise<void> => {
    ending.abort();
    await Promise.all(running);
  };
  if (!(await answers(port))) {
    await close();
    return undefined;
  }
  const address = { servers: [`nats://127.0.0.1:${port}`], key, share: false };
  return {
    settings: { ...address, rules: [{ tool: "shell" }] },
    startWorkers(workspace) {
      for (let index = 1; index <= WORKERS; index += 1) {
        const home = join(folder, `worker-${index}`);
        mkdirSync(home, { mode: 0o700 });
        writeFileSync(join(home, "config.json"), JSON.stringify({ fleet: address }), { mode: 0o600 });
        const args = [packageFile("bin/toolwright.js"), "worker", "--concurrency", "4"];
        start(process.execPath, args, { cwd: workspace, env: { TOOLWRIGHT_HOME: home } });
      }
    },
    [Symbol.asyncDispose]: close,
  };
}

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program until the input ends, which it does with this process too, however it ends. */
const UNTIL_INPUT_ENDS = '"$@" & program=$!; cat > /dev/null; kill $program; wait';

async function hasPackages(): Promise<boolean> {
  const packages = [
    import("@nats-io/transport-node"),
    import("@nats-io/jetstream"),
    import("@nats-io/kv"),
    import("@nats-io/obj"),
  ];
  return (await Promise.allSettled(packages)).every(({ status }) => status === "fulfilled");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const START_MS = 3000;
const TRY_MS = 25;

/** Returns true once something accepts connections at the port. */
async function answers(port: number): Promise<boolean> {
  const latest = performance.now() + START_MS;
  while (performance.now() < latest) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("close", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isOpen) return true;
    await wait(TRY_MS);
  }
  return false;
}
