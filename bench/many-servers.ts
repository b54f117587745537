import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { median, type Row } from "./measure.ts";

const ROUNDS = 3;
const LIVE = 40;
const DEAD = 5;
const HANGING = 5;
const TARGET = 1.5;

/** Measures fifty servers behind the gateway, some dead and some hanging, against starting the live ones directly. */
export async function benchManyServers(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  try {
    const servers = writeServers(folder);
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await startBare(servers.live));
      ours.push(await startGateway(folder, servers, round));
    }
    const [our, their] = [median(ours), median(bare)];
    return [
      {
        what: `${LIVE} servers answer a call, beside ${DEAD} dead and ${HANGING} hanging ones`,
        figure: `${our.toFixed(0)} ms`,
        against: `${their.toFixed(0)} ms`,
        ratio: our / their,
        target: `${TARGET}x`,
        isReached: our <= TARGET * their,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Program {
  readonly command: string;
  readonly args: string[];
}

interface Servers {
  readonly live: readonly Program[];
  readonly all: Readonly<Record<string, Program>>;
}

function writeServers(folder: string): Servers {
  const script = resolve("test/support/servers/mcp-server.ts");
  const echo = { name: "echo", description: "Echoes.", inputSchema: { type: "object" } };
  const program = (name: string, plan: object): Program => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ tools: [echo], ...plan }));
    return { command: process.execPath, args: [script, file] };
  };
  const many = (count: number, kind: string, plan: object): readonly (readonly [string, Program])[] =>
    Array.from({ length: count }, (_, index) => [`${kind}${index}`, program(`${kind}${index}`, plan)]);
  const live = many(LIVE, "live", {});
  const others = [...many(DEAD, "dead", { start: "die" }), ...many(HANGING, "hanging", { start: "hang" })];
  return { live: live.map(([, one]) => one), all: Object.fromEntries([...others, ...live]) };
}

const ECHO = { text: "hi" };

/** Returns the milliseconds until each has answered a call. */
async function startBare(live: readonly Program[]): Promise<number> {
  const startedAt = performance.now();
  const clients = await Promise.all(
    live.map(async (program) => {
      const client = new Client({ name: "bench", version: "1" });
      await client.connect(new StdioClientTransport({ ...program, stderr: "ignore" }));
      await client.listTools();
      await client.callTool({ name: "echo", arguments: ECHO });
      return client;
    }),
  );
  const tookMs = performance.now() - startedAt;
  await Promise.all(clients.map((client) => client.close()));
  return tookMs;
}

/** The same, from the start of the gateway; each round has a new home, so that nothing is cached. */
async function startGateway(folder: string, { live, all }: Servers, round: number): Promise<number> {
  const home = join(folder, `home-${round}`);
  mkdirSync(home);
  const config = { mcpServers: all, mode: "yolo", toolLimit: 100_000, toolTokens: 10_000_000 };
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  const startedAt = performance.now();
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve("bin/toolwright.js"), "mcp"],
      env: { PATH: process.env["PATH"] ?? "", HOME: home, TOOLWRIGHT_HOME: home },
      stderr: "ignore",
    }),
  );
  await callAll(
    client,
    live.map((_, index) => `live${index}__echo`),
  );
  const tookMs = performance.now() - startedAt;
  await client.close();
  return tookMs;
}

/** Calls each tool as soon as it is listed: the gateway notifies the client when its tools change. */
async function callAll(client: Client, names: readonly string[]): Promise<void> {
  const missing = new Set(names);
  let listChanged = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/tools/list_changed", () => listChanged.resolve());
  while (missing.size > 0) {
    const changed = listChanged.promise;
    await Promise.all(
      [...missing].map(async (name) => {
        const result = await client.callTool({ name, arguments: ECHO }).catch(() => undefined);
        if (result !== undefined && result.isError !== true) missing.delete(name);
      }),
    );
    if (missing.size === 0) return;
    await changed;
    listChanged = Promise.withResolvers<void>();
  }
}
