import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Place } from "../../flows/support/cli.ts";
import { connectMcp } from "../../flows/support/mcp-client.ts";
import { until } from "../../support/servers/mcp.ts";

export type Call = readonly [tool: string, input: Record<string, unknown>];

export interface ComparedServer {
  readonly program: readonly string[];
  /** Its variables, given the path of a file of its own. */
  readonly env?: (file: string) => Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
  /** Matches what differs between any two calls, such as a time, in the JSON of a result. */
  readonly varying?: RegExp;
}

/** Asserts that a server lists the same tools and gives the same results directly and behind the gateway. */
export async function compareServer(t: TestContext, place: Place, server: ComparedServer): Promise<void> {
  const [command = "", ...args] = server.program;
  const envOf = (name: string): Record<string, string> => ({
    PATH: process.env["PATH"] ?? "",
    HOME: place.home,
    ...server.env?.(join(place.home, name)),
  });
  const mcpServers = { s: { command, args, cwd: place.folder, env: envOf("behind.json") } };
  writeFileSync(
    join(place.home, "config.json"),
    JSON.stringify({ mcpServers, toolLimit: 100_000, toolTokens: 10_000_000 }),
  );
  const direct = new Client({ name: "test", version: "1" }, { capabilities: { roots: {} } });
  direct.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(place.folder).href }] }));
  t.after(() => direct.close());
  const env = envOf("direct.json");
  await direct.connect(new StdioClientTransport({ command, args, env, cwd: place.folder, stderr: "ignore" }));
  const { client: behind } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  await compareTools(direct, behind);
  for (const [name, input] of server.calls) {
    const wanted = fixed(await answerOf(direct, name, input), server.varying);
    assert.deepEqual(fixed(await answerOf(behind, `s__${name}`, input), server.varying), wanted, name);
  }
}

function fixed(answer: unknown, varying: RegExp | undefined): unknown {
  return varying === undefined ? answer : JSON.stringify(answer).replaceAll(varying, "varying");
}

async function compareTools(direct: Client, behind: Client): Promise<void> {
  // Whether a tool may run as a task is not passed on: the gateway runs tasks itself.
  const listed = (await direct.listTools()).tools.map(({ execution: _execution, ...tool }) => tool);
  assert.notEqual(listed.length, 0);
  // The first list does not wait for a slow server.
  let passed = (await behind.listTools()).tools;
  await until(async () => {
    passed = (await behind.listTools()).tools;
    return passed.some(({ name }) => name.startsWith("s__"));
  }, "the tools of the server are listed");
  for (const tool of listed) {
    const same = { ...passed.find(({ name }) => name === `s__${tool.name}`), name: tool.name };
    // The gateway says what a tool without annotations may do.
    const { annotations } = tool;
    assert.deepEqual(annotations === undefined ? { ...same, annotations } : same, { ...tool, annotations });
  }
}

/** Returns the result of a call. An error of the protocol has the form that it gets behind the gateway: a result with `isError`. */
async function answerOf(client: Client, name: string, input: Record<string, unknown>): Promise<unknown> {
  try {
    return await client.callTool({ name, arguments: input });
  } catch (error) {
    const text = `Error: ${error instanceof Error ? error.message : String(error)}`;
    return { content: [{ type: "text", text }], isError: true };
  }
}
