import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { median, type Row } from "./measure.ts";
import { startPrinting } from "./start-printing.ts";

const ROUNDS = 21;
const CALLS = 150;
/** Calls before the measured ones: those of a short session are made by code that is not optimised yet. */
const WARM_UP = 10_000;
const FIRST_CALLS = 100;
const FIRST_ROUNDS = 7;

const BARE = resolve("bench/bare-mcp-server.ts");
const FORWARDER = resolve("bench/json-forwarder.ts");
const LAUNCHER = resolve("bin/toolwright.js");

/**
 * Measures a tool through the gateway against the same tool on the SDK's own server, and one behind it against a proxy that parses and writes JSON,
 * interleaved, with the SDK's client: the first calls of a process, and those after many.
 */
export async function benchGateway(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const closing: (() => Promise<unknown> | void)[] = [() => rmSync(home, { recursive: true, force: true })];
  try {
    const pairs = pairsIn(home, (close) => closing.unshift(close));
    const rows: Row[] = [];
    for (const pair of pairs) {
      if (pair.isFirstToo === true) rows.push(await measureFirst(pair));
      rows.push(await measurePair(pair));
    }
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
  /** Also measures the first calls of processes. */
  readonly isFirstToo?: boolean;
  readonly ours: () => Promise<Called>;
  readonly baseline: () => Promise<Called>;
}

function pairsIn(home: string, onClose: (close: () => Promise<unknown>) => void): readonly Pair[] {
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
  const bare = (): Promise<Called> => stdio([BARE]);
  const forwarded = (): Promise<Called> => stdio([FORWARDER]);
  const through = (...more: readonly string[]): Promise<Called> => {
    const program = programOf([LAUNCHER, "mcp", ...more], behind);
    return connect(new StdioClientTransport({ ...program, stderr: "inherit" }), "bare__think");
  };
  return [
    {
      what: "gateway on stdio, a built-in tool, nothing kept",
      target: 0.85,
      isFirstToo: true,
      ours: () => stdio(gateway(":memory:")),
      baseline: bare,
    },
    {
      what: "the same, everything kept on disk",
      target: 1,
      ours: () => stdio(gateway(join(home, "state"))),
      baseline: () => stdio([BARE, "--store", home]),
    },
    {
      what: "gateway over HTTP, everything kept on disk",
      target: 1,
      ours: () => http([...gateway(join(home, "http-state")), "--http", "0"]),
      baseline: () => http([BARE, "--http", "--store", mkdtempSync(join(home, "http-"))]),
    },
    {
      what: "a tool of a stdio server behind the gateway, over a JSON forwarder, nothing kept",
      target: 1.25,
      isFirstToo: true,
      ours: () => through("--store", ":memory:"),
      baseline: forwarded,
    },
    {
      what: "the same, all kept on disk",
      target: 1.5,
      ours: () => through(),
      baseline: forwarded,
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

/** Each round has processes of its own, whose first calls are measured. */
async function measureFirst({ what, target, ours, baseline }: Pair): Promise<Row> {
  const times: readonly number[][] = [[], []];
  for (let round = 0; round < FIRST_ROUNDS; round += 1)
    for (const [index, open] of [ours, baseline].entries()) {
      const side = await open();
      await side.client.listTools();
      times[index]?.push(await callOften(side, FIRST_CALLS));
      await side.client.close();
    }
  return toRow(`${what}: the first ${FIRST_CALLS} calls`, target, times);
}

async function measurePair({ what, target, ours, baseline }: Pair): Promise<Row> {
  const sides = [await ours(), await baseline()];
  for (const side of sides) {
    await side.client.listTools();
    await callOften(side, WARM_UP);
  }
  const times = sides.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, side] of sides.entries()) times[index]?.push(await callOften(side, CALLS));
  for (const { client } of sides) await client.close();
  return toRow(`${what}: after ${WARM_UP} calls`, target, times);
}

function toRow(what: string, target: number, times: readonly (readonly number[])[]): Row {
  const [our = 0, their = 0] = times.map((side) => median([...side]));
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
