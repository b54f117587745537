import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { createPlace, runCli, until, type Place } from "./support/cli.ts";
import { connectHttp, connectMcp, serveMcp, textOf, type McpOptions } from "./support/mcp-client.ts";

function placeWith(t: TestContext): Place {
  const place = createPlace(t);
  const { command, args } = rawServer(t, { tools: [toolOf("sample"), toolOf("log")] }).server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  return place;
}

const ASKED = {
  name: "raw__sample",
  arguments: {
    messages: [{ role: "user", content: { type: "text", text: "What is the capital of Norway?" } }],
  },
};
const sample: McpOptions["sample"] = ({ messages }) => ({
  role: "assistant",
  content: { type: "text", text: JSON.stringify(messages).includes("Norway") ? "Oslo." : "?" },
  model: "the client's",
});

for (const transport of ["stdio", "http"])
  test(`over ${transport} the model of the client answers a server's sampling request, under the rules`, async (t) => {
    const place = placeWith(t);
    const args = ["--mode", "yolo"];
    const connect = async (options: McpOptions) =>
      transport === "stdio"
        ? connectMcp(t, place, { args, ...options })
        : connectHttp(t, (await serveMcp(t, place, args)).address, options);
    for (const isModern of [false, true]) {
      const { client } = await connect({ sample, isModern });
      assert.match(textOf(await client.callTool(ASKED)), /the client's[\s\S]*Oslo\./, `modern: ${isModern}`);
    }
    const without = await connect({});
    assert.match(
      textOf(await without.client.callTool(ASKED)),
      /neither the client nor the config has a model/,
    );
    writeFileSync(
      join(place.home, "policy.json"),
      JSON.stringify({ rules: [{ tool: "sampling", decision: "deny" }] }),
    );
    const denied = await connect({ sample });
    assert.doesNotMatch(textOf(await denied.client.callTool(ASKED)), /Oslo/);
  });

test("a sampling request never asks the client for what its other servers told it", async (t) => {
  const asked: object[] = [];
  const { client } = await connectMcp(t, placeWith(t), {
    args: ["--mode", "yolo"],
    sample: (request) => (asked.push(request), sample(request)),
  });
  const input = { ...ASKED.arguments, includeContext: "allServers", systemPrompt: "Be short." };
  await client.callTool({ ...ASKED, arguments: input });
  const keys = asked.map((request) => Object.keys(request).sort());
  assert.deepEqual(keys, [["maxTokens", "messages", "systemPrompt"]]);
});

test("log messages of a server reach the client of the call, at its level, with secrets masked", async (t) => {
  const place = placeWith(t);
  const environment = { TEST_API_KEY: "correct-horse-battery" };
  const { client, heard } = await connectMcp(t, place, { args: ["--mode", "yolo"], environment });
  await client.setLoggingLevel("warning");
  const log = (level: string, data: unknown) =>
    client.callTool({ name: "raw__log", arguments: { level, logger: "db", data } });
  await log("info", "too low");
  await log("error", { query: "slow", key: "correct-horse-battery" });
  const logged = () => heard.filter(({ method }) => method === "notifications/message");
  await until("it is logged", () => logged().length > 0);
  assert.deepEqual(
    logged().map(({ params }) => params),
    [{ level: "error", logger: "db", data: { query: "slow", key: "⟦masked⟧" } }],
  );
});

test("approved instructions of servers reach clients over each transport, if they may use a tool of the server", async (t) => {
  const place = createPlace(t);
  const raw = rawServer(t, { tools: [toolOf("log")], instructions: "Log with care." });
  const { command, args } = raw.server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  const counted = async (): Promise<readonly number[]> => {
    const problems = (await runCli(place, ["tools", "--problems"])).stdout.split("\n");
    const [listed] = JSON.parse((await runCli(place, ["mcp", "list", "--json"])).stdout) as {
      unapproved?: number;
    }[];
    return [problems.filter((line) => line.includes("since")).length, listed?.unapproved ?? 0];
  };
  assert.equal((await runCli(place, ["mcp", "test", "raw"])).code, 0);
  assert.deepEqual(await counted(), [0, 0], "the test has pinned them");
  const given = /Instructions of the MCP server "raw", raw__\*:\nLog with care\.$/;
  for (const isModern of [false, true]) {
    const { client } = await connectMcp(t, place, { isModern });
    assert.match(client.getInstructions() ?? "", given);
    await client.close();
  }
  const without = await connectMcp(t, place, { args: ["--tools", "read_file"] });
  assert.doesNotMatch(without.client.getInstructions() ?? "", /Log with care/);
  // These gateways are in this process: one that is offered the earlier instructions later takes back what `tools` notes below.
  await without.client.close();
  raw.plan({ tools: [toolOf("log")], instructions: "Log without care." });
  assert.deepEqual(await counted(), [1, 1], "the problems and the list agree");
  const { address } = await serveMcp(t, place);
  /** Connects until the servers are loaded: over HTTP a client may come before. */
  const shows = async (expected: RegExp, isModern: boolean): Promise<void> => {
    const end = performance.now() + 60_000;
    for (let text = ""; !expected.test(text); text = await instructionsOver(isModern))
      assert.ok(performance.now() < end, text);
  };
  const instructionsOver = async (isModern: boolean): Promise<string> => {
    const { client } = await connectHttp(t, address, { isModern });
    const text = client.getInstructions() ?? "";
    await client.close();
    return text;
  };
  for (const isModern of [false, true]) await shows(given, isModern);
  assert.equal((await runCli(place, ["mcp", "approve", "raw", "(instructions)", "--yes"])).code, 0);
  await shows(/Log without care\.$/, false);
});
