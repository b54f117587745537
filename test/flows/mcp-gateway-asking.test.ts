import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { ElicitResult } from "@modelcontextprotocol/client";
import { rawServer } from "../support/servers/mcp.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, type Place } from "./support/cli.ts";
import {
  connectHttp,
  connectMcp,
  serveMcp,
  textOf,
  type Connected,
  type McpOptions,
} from "./support/mcp-client.ts";

const MODERN = fileURLToPath(new URL("../support/servers/modern-mcp-server.ts", import.meta.url));
const YOLO = ["--mode", "yolo"];
const ASKING = { uri: "note://asking", name: "asking" };

type Elicit = NonNullable<McpOptions["elicit"]>;

/** A place with a server that asks during the request, or one that asks with its result. */
function placeWith(t: TestContext, isModern: boolean): Place {
  const place = createPlace(t);
  const raw = rawServer(t, { prompts: [{ name: "asking" }], resources: [ASKING] });
  const args = isModern ? [MODERN] : raw.server.args;
  const mcpServers = { up: { command: process.execPath, args } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers }));
  return place;
}

function connect(t: TestContext, place: Place, how: string, elicit?: Elicit): Promise<Connected> {
  const options = { args: YOLO, isModern: how !== "a handshake", ...(elicit !== undefined && { elicit }) };
  return how === "HTTP"
    ? serveMcp(t, place, YOLO).then(({ address }) => connectHttp(t, address, options))
    : connectMcp(t, place, options);
}

async function promptOf({ client }: Connected): Promise<string> {
  await untilTrue("the prompt is listed", async () => (await client.listPrompts()).prompts.length > 0);
  return JSON.stringify((await client.getPrompt({ name: "up__asking" })).messages);
}

async function resourceOf({ client }: Connected): Promise<string> {
  return JSON.stringify((await client.readResource({ uri: ASKING.uri })).contents);
}

for (const [server, isModern] of [
  ["during the request", false],
  ["with its result", true],
] as const)
  for (const how of ["a handshake", "no handshake", "HTTP"]) {
    test(`the server of a prompt and of a resource that asks ${server} gets the answer of a client with ${how}`, async (t) => {
      const asked: string[] = [];
      const elicit: Elicit = (params): ElicitResult => {
        asked.push(params.message);
        return asked.length === 3
          ? { action: "decline" }
          : { action: "accept", content: { name: `Ada ${asked.length}` } };
      };
      const connected = await connect(t, placeWith(t, isModern), how, elicit);
      assert.match(await promptOf(connected), /Ada 1/);
      assert.match(await resourceOf(connected), /Ada 2/);
      assert.match(await promptOf(connected), /nobody|decline/);
      assert.equal(asked.length, 3);
      for (const message of asked) assert.match(message, /"up" asks: Who reads\?/);
    });

    test(`a prompt whose server asks ${server} is declined what a client with ${how} and without forms cannot be asked`, async (t) => {
      const connected = await connect(t, placeWith(t, isModern), how);
      assert.match(await promptOf(connected), /nobody|decline/);
    });
  }

test("a form that a server sends with its result reaches the client of that request, whichever began last", async (t) => {
  const place = placeWith(t, true);
  const { address } = await serveMcp(t, place, YOLO);
  const [firstIsAsked, secondIsAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answering =
    (name: string, asked: () => void, until: Promise<void>): Elicit =>
    async () => {
      asked();
      await until;
      return { action: "accept", content: { name } };
    };
  const first = await connectHttp(t, address, {
    elicit: answering("first", firstIsAsked.resolve, secondIsAsked.promise),
  });
  const second = await connectHttp(t, address, {
    elicit: answering("second", secondIsAsked.resolve, firstIsAsked.promise),
  });
  await untilTrue("the tool is listed", async () =>
    (await second.client.listTools()).tools.some(({ name }) => name === "up__asking"),
  );
  const answers = await Promise.all(
    [first, second].map(async ({ client }) => textOf(await client.callTool({ name: "up__asking" }))),
  );
  assert.deepEqual(answers, ['{"name":"first"}', '{"name":"second"}']);
});
