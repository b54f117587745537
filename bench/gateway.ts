import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { median, type Row } from "./measure.ts";
import { startPrinting } from "./start-printing.ts";

const ROUNDS = 21;
const CALLS = 150;
const WARM_UP = 1500;

const BARE = resolve("bench/bare-mcp-server.ts");
const LAUNCHER = resolve("bin/toolwright.js");

/** Measures a tool through the gateway against the same tool on the SDK's own server, interleaved, with the SDK's client. */
export async function benchGateway(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const closing: (() => Promise<unknown> | void)[] = [() => rmSync(home, { recursive: true, force: true })];
  try {
    const pairs = await openPairs(home, (close) => closing.unshift(close));
    const rows: Row[] = [];
    for (const pair of pairs) rows.push(await measurePair(pair));
    return rows;
  } finally {
    for (const close of closing) await close();
  }
}

interface Called {
  readonly client: Client;
  readonly tool: string;
}

interface Pair {
  readonly what: string;
  readonly target: number;
  readonly ours: Called;
  readonly baseline: Called;
}

async function openPairs(
  home: string,
  onClose: (close: () => Promise<unknown>) => void,
): Promise<readonly Pair[]> {
  const connect = async (transport: Transport, tool = "think"): Promise<Called> => {
    const client = new Client({ name: "bench", version: "1" });
    await client.connect(transport);
    onClose(() => client.close());
    return { client, tool };
  };
  const stdio = (args: readonly string[]): Promise<Called> =>
    connect(new StdioClientTransport({ ...programOf(args, home), stderr: "inherit" }));
  const http = async (args: readonly string[]): Promise<Called> => {
    const served = await startPrinting(programOf(args, home));
    onClose(() => served.close());
    return connect(new StreamableHTTPClientTransport(new URL(served.line)));
  };
  const gateway = (store: string): readonly string[] => [LAUNCHER, "mcp", "--tools", "*", "--store", store];
  // The upstream server is the same program as the baseline. Its calls need no approval.
  const behind = mkdtempSync(join(home, "behind-"));
  const mcpServers = { bare: { command: process.execPath, args: [BARE] } };
  writeFileSync(join(behind, "config.json"), JSON.stringify({ mcpServers, mode: "yolo" }));
  const through = (...more: readonly string[]): Promise<Called> => {
    const program = programOf([LAUNCHER, "mcp", ...more], behind);
    return connect(new StdioClientTransport({ ...program, stderr: "inherit" }), "bare__think");
  };
  return [
    {
      what: "gateway on stdio, a built-in tool, nothing kept",
      target: 1,
      ours: await stdio(gateway(":memory:")),
      baseline: await stdio([BARE]),
    },
    {
      what: "the same, everything kept on disk",
      target: 1,
      ours: await stdio(gateway(join(home, "state"))),
      baseline: await stdio([BARE, "--store", home]),
    },
    {
      what: "gateway over HTTP, everything kept on disk",
      target: 1,
      ours: await http([...gateway(join(home, "http-state")), "--http", "0"]),
      baseline: await http([BARE, "--http", "--store", mkdtempSync(join(home, "http-"))]),
    },
    {
      what: "a tool of a stdio server behind the gateway, nothing kept",
      target: 2,
      ours: await through("--store", ":memory:"),
      baseline: await stdio([BARE]),
    },
    {
      what: "a tool of a stdio server behind the gateway, all kept on disk",
      target: 2,
      ours: await through(),
      baseline: await stdio([BARE]),
    },
  ];
}

interface Program {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

function programOf(args: readonly string[], home: string): Program {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TOOLWRIGHT_HOME: home };
  return { command: process.execPath, args: [...args], env };
}

async function measurePair({ what, target, ours, baseline }: Pair): Promise<Row> {
  const sides = [ours, baseline];
  for (const side of sides) {
    await side.client.listTools();
    await callOften(side, WARM_UP);
  }
  const times = sides.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, side] of sides.entries()) times[index]?.push(await callOften(side, CALLS));
  const [our = 0, their = 0] = times.map(median);
  return {
    what,
    figure: `${our.toFixed(0)} µs`,
    against: `${their.toFixed(0)} µs`,
    ratio: our / their,
    target: `${target}x`,
    isReached: our <= target * their,
  };
}

/** Returns microseconds per call, one after the other. */
async function callOften({ client, tool }: Called, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < count; call += 1) {
    const result = await client.callTool({ name: tool, arguments: { thought: "of what to do next" } });
    if (result.isError === true) throw new Error(JSON.stringify(result.content));
  }
  return ((performance.now() - startedAt) * 1000) / count;
}
