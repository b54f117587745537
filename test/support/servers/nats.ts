import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { untilTrue } from "../running.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What closes after a test. */
export type Cleanup = Pick<TestContext, "after">;

/** Returns a cleanup that closes what was opened last first: a server goes after its clients. */
export function lastFirst(test: Cleanup): Cleanup {
  const closers: (() => unknown)[] = [];
  test.after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  return { after: (close) => void closers.push(close as () => unknown) };
}

/** A real nats-server with JetStream on loopback, whose files are in a folder of the test's own. */
export interface NatsServer {
  /** nats://127.0.0.1:PORT */
  readonly url: string;
  readonly pid: number;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again with the same port and files, and waits until it is ready. `more` replaces the lines of its configuration. */
  restart(more?: string): Promise<void>;
  /** SIGSTOP and SIGCONT: to the others, a server that is cut off. */
  pause(): void;
  resume(): void;
}

export interface NatsServerOptions {
  /** More lines of its configuration, such as authorization, TLS or max_payload. */
  readonly more?: string;
}

/** Starts one server; it ends with the test. */
export async function startNats(test: Cleanup, { more = "" }: NatsServerOptions = {}): Promise<NatsServer> {
  const [port = 0] = await freePorts(1);
  const server = await launch(test, temporaryFolder(test), { name: "n1", port, more });
  await server.ready();
  return server;
}

/** Starts a cluster of three servers, and waits until JetStream has a leader. */
export async function startNatsCluster(test: Cleanup): Promise<readonly NatsServer[]> {
  const ports = await freePorts(6);
  const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`);
  const folder = temporaryFolder(test);
  const servers = await Promise.all(
    [0, 1, 2].map((index) => {
      const more = `cluster { name: test, listen: "127.0.0.1:${ports[3 + index]}", routes: [${routes.join(", ")}] }`;
      return launch(test, folder, { name: `n${index + 1}`, port: ports[index] ?? 0, more });
    }),
  );
  await Promise.all(servers.map((server) => server.ready()));
  return servers;
}

/** Starts a server, and a leaf node of it without JetStream, through which clients use the streams of the server. */
export async function startNatsLeaf(test: Cleanup): Promise<readonly [hub: NatsServer, leaf: NatsServer]> {
  const [port = 0] = await freePorts(1);
  const through = `default_js_domain { "$G": "" }`;
  const hub = await startNats(test, { more: `leafnodes { listen: "127.0.0.1:${port}" }\n${through}` });
  const remote = `leafnodes { remotes: [{ url: "nats://127.0.0.1:${port}" }] }`;
  return [hub, await startNats(test, { more: `jetstream: false\n${remote}\n${through}` })];
}

interface Launch {
  readonly name: string;
  readonly port: number;
  readonly more: string;
}

interface LaunchedServer extends NatsServer {
  ready(): Promise<void>;
}

async function launch(test: Cleanup, folder: string, { name, port, more }: Launch): Promise<LaunchedServer> {
  const own = join(folder, name);
  mkdirSync(own);
  const log = join(own, "log");
  const config = join(own, "config");
  let child: ChildProcess;
  const start = (lines = more): void => {
    writeFileSync(
      config,
      `server_name: ${name}\nlisten: "127.0.0.1:${port}"\nlog_file: "${log}"\njetstream { store_dir: "${own}" }\n${lines}\n`,
    );
    writeFileSync(log, "");
    child = spawn("nats-server", ["-c", config], { stdio: "ignore" });
  };
  // A cluster is ready for streams when it has a leader for them.
  const isReady = (): boolean => {
    const text = readFileSync(log, "utf8");
    return text.includes("Server is ready") && (!more.includes("cluster {") || /metadata leader/i.test(text));
  };
  const ready = async (): Promise<void> => {
    const hasStarted = (): boolean => child.exitCode !== null || isReady();
    await untilTrue("nats-server is ready", hasStarted).catch(() => undefined);
    if (!isReady()) throw new Error(`nats-server is not ready: ${readFileSync(log, "utf8").slice(-2000)}`);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  };
  start();
  test.after(kill);
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    async restart(lines) {
      await kill();
      start(lines);
      await ready();
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    ready,
  };
}

/** Returns ports that were all free at the same time. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
