import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Row } from "./measure.ts";
import { median } from "./measure.ts";

const ROUNDS = 15;
const CALLS = 200;
const WARM_UP = 1500;

/** A built-in tool through our gateway on stdio, against the same tool on the SDK's own server, with the SDK's own client. */
export async function benchGateway(): Promise<readonly Row[]> {
  const home = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const gateway = [resolve("bin/toolwright.js"), "mcp", "--store"];
  const clients = [
    await connect([resolve("bench/bare-mcp-server.ts")], home),
    await connect([...gateway, ":memory:"], home),
    await connect([...gateway, join(home, "state")], home),
  ];
  try {
    for (const client of clients) await callOften(client, WARM_UP);
    const times = clients.map(() => [] as number[]);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [index, client] of clients.entries()) times[index]?.push(await callOften(client, CALLS));
    const [bare = 0, ours = 0, kept = 0] = times.map(median);
    return [
      toRow("gateway on stdio, a built-in tool", ours, bare),
      toRow("the same, every call kept on disk", kept, bare),
    ];
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    rmSync(home, { recursive: true, force: true });
  }
}

function toRow(what: string, ours: number, bare: number): Row {
  return {
    what,
    figure: `${ours.toFixed(0)} µs`,
    against: `${bare.toFixed(0)} µs`,
    ratio: ours / bare,
    bar: "1x",
    isReached: ours <= bare,
  };
}

async function connect(args: readonly string[], home: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TOOLWRIGHT_HOME: home };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: "inherit" }),
  );
  return client;
}

/** Microseconds a call, one after the other. */
async function callOften(client: Client, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < count; call += 1) {
    const result = await client.callTool({ name: "think", arguments: { thought: "of what to do next" } });
    if (result.isError === true) throw new Error(JSON.stringify(result.content));
  }
  return ((performance.now() - startedAt) * 1000) / count;
}
