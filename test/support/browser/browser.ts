import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import type { EngineOptions } from "../../../src/engine/types/options.ts";
import { createMemoryArtifacts } from "../../../src/store/in-memory.ts";
import { listProc, readEnvironment, readProc } from "../../../src/system/process/proc.ts";
import { browserTools } from "../../../src/tools/browser/family.ts";
import type { BrowserOptions } from "../../../src/tools/browser/page/options.ts";
import { aboutTools } from "../../../src/tools/about/family.ts";
import { call, textOf } from "../engines/engine.ts";
import { browserPages } from "./browser-pages.ts";
import { CERTIFICATE, KEY } from "../servers/secure-server.ts";

/** An engine with a browser, servers whose pages it may open, and one that it must never reach. Closed by `close`. */
export interface BrowserPlace {
  readonly engine: Engine;
  readonly root: string;
  /** Of a port on which no server listens. */
  readonly closedOrigin: string;
  /** `http://127.0.0.1:PORT` and `https://secure.test:PORT`, with the same pages. */
  readonly origin: string;
  readonly secure: string;
  /** What reached the private server. */
  readonly intrusions: readonly string[];
  readonly privateOrigin: string;
  run(name: string, input?: JsonObject, session?: string): Promise<ToolResult>;
  act(action: string, more?: JsonObject): Promise<ToolResult>;
  /** Runs a call that must succeed, and returns its text. */
  text(name: string, input?: JsonObject): Promise<string>;
  close(): Promise<void>;
}

export interface BrowserPlaceOptions extends Pick<BrowserOptions, "browser" | "stateFolder"> {
  readonly engine?: Partial<EngineOptions>;
}

export async function openBrowserPlace(options: BrowserPlaceOptions = {}): Promise<BrowserPlace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-test-")));
  const certificate = join(root, "..", `toolwright-test-${process.pid}-${Date.now()}.pem`);
  writeFileSync(certificate, CERTIFICATE);
  const intrusions: string[] = [];
  const hidden = await listen(
    createHttpServer((request, response) => {
      intrusions.push(request.url ?? "");
      response.end("secret");
    }),
  );
  hidden.server.on("connection", () => intrusions.push("a connection"));
  const targets = ["127.0.0.1", "localhost", "rebound.test"].map((host) => `http://${host}:${hidden.port}/`);
  const listener = answering(targets);
  const open = await listen(createHttpServer(listener));
  const secure = await listen(createServer({ cert: CERTIFICATE, key: KEY }, listener));
  const closed = await listen(createHttpServer());
  closed.server.close();
  const tools = browserTools({
    root,
    environment: { PATH: process.env["PATH"] ?? "" },
    browser: { certificates: [certificate], ...options.browser },
    ...(options.stateFolder !== undefined && { stateFolder: options.stateFolder }),
    web: {
      privateHosts: [`closed.test:${closed.port}`, `127.0.0.1:${open.port}`, `secure.test:${secure.port}`],
      ports: [hidden.port],
      resolve: async (host) => {
        if (host.endsWith(".invalid")) throw Object.assign(new Error("no address"), { code: "ENOTFOUND" });
        return ["127.0.0.1"];
      },
    },
  });
  const engine = createEngine({
    mode: "yolo",
    workspace: [root],
    artifacts: createMemoryArtifacts(),
    ...options.engine,
    tools: [...tools, ...aboutTools({})],
  });
  engine.groups.activate("browser");
  const run: BrowserPlace["run"] = (name, input = {}, session = "browser") =>
    engine.run(call(name, input), { session });
  return {
    engine,
    root,
    origin: `http://127.0.0.1:${open.port}`,
    secure: `https://secure.test:${secure.port}`,
    closedOrigin: `http://closed.test:${closed.port}`,
    privateOrigin: `http://127.0.0.1:${hidden.port}`,
    intrusions,
    run,
    act: (action, more = {}) => run("browser_action", { action, ...more }),
    async text(name, input) {
      const result = await run(name, input);
      if (!result.ok) throw new Error(`${name} ${JSON.stringify(input)}: ${textOf(result)}`);
      return textOf(result);
    },
    async close() {
      await engine.close();
      for (const { server } of [hidden, open, secure]) server.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 10 });
      rmSync(certificate, { force: true });
    },
  };
}

function answering(targets: readonly string[]): RequestListener {
  const pages = browserPages(targets);
  return (request: IncomingMessage, response) => {
    const answer = pages[new URL(request.url ?? "/", "http://x").pathname];
    if (answer === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<p>Not here");
    else answer(request, response);
  };
}

async function listen(server: Server): Promise<{ readonly server: Server; readonly port: number }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // Connections of browsers stay open.
  server.on("connection", (socket) => socket.unref());
  server.unref();
  return { server, port: (server.address() as AddressInfo).port };
}

/** Returns the number of an element that `get_page` shows. Throws if there is none. */
export function numberOf(text: string, element: string): number {
  const line = text.split("\n").find((one) => one.includes(element) && /\[\d+\]/.test(one));
  const number = /\[(\d+)\]/.exec(line ?? "")?.[1];
  if (number === undefined) throw new Error(`no ${element} in:\n${text}`);
  return Number(number);
}

/** Returns the pids of browsers that were started by a process, or by what it started. */
export function browserPids(marker: string): readonly number[] {
  return (listProc() ?? []).filter(
    (pid) =>
      (readEnvironment(pid) ?? "").includes(marker) &&
      (readProc(`${pid}/cmdline`) ?? "").includes("remote-debugging-pipe"),
  );
}
