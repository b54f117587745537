import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { rawServer, toolOf, type RawServer } from "../support/servers/mcp.ts";
import { createPlace, type Place } from "./support/cli.ts";
import { connectHttp, connectMcp, serveMcp, type Connected } from "./support/mcp-client.ts";

const PLAN = {
  tools: [toolOf("echo")],
  prompts: [{ name: "greet" }],
  resources: [{ uri: "note://one", name: "one" }],
  templates: [{ uriTemplate: "note://{id}", name: "any" }],
};
/** Requests that a server hears only where its client may have what they ask for. */
const REACHING = new Set(["prompts/get", "completion/complete", "resources/read", "resources/subscribe"]);

interface Scene {
  readonly place: Place;
  readonly servers: readonly [RawServer, RawServer];
}

/** A place whose user has two servers and these rules. */
function sceneOf(t: TestContext, rules: readonly object[] = []): Scene {
  const place = createPlace(t);
  const servers = [rawServer(t, PLAN), rawServer(t, PLAN)] as const;
  const [a, b] = servers.map(({ server: { command, args } }) => ({ command, args }));
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { a, b } }));
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules }));
  return { place, servers };
}

function reachedOf(server: RawServer): readonly string[] {
  return server.diary().filter((line) => REACHING.has(line));
}

/** Asks for everything of a server in every way there is; gives the ways that succeeded. */
async function reachAll({ client }: Connected, server: string): Promise<readonly string[]> {
  const uri = `mcp:${server}/note://one`;
  const argument = { name: "x", value: "" };
  const prompt = { type: "ref/prompt", name: `${server}__greet` } as const;
  const template = {
    type: "ref/resource",
    uri: server === "a" ? "note://{id}" : "mcp:b/note://{id}",
  } as const;
  const isModern = client.getProtocolEra() === "modern";
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    "get a prompt": () => client.getPrompt({ name: prompt.name }),
    "complete a prompt": async () =>
      one((await client.complete({ ref: prompt, argument })).completion.values),
    "complete an address": async () =>
      one((await client.complete({ ref: template, argument })).completion.values),
    "read a resource": () => client.readResource({ uri }),
    "watch a resource": () =>
      isModern ? client.listen({ resourceSubscriptions: [uri] }) : client.subscribeResource({ uri }),
  };
  const succeeded: string[] = [];
  for (const [way, reach] of Object.entries(ways)) {
    const isReached = await reach().then(
      () => true,
      () => false,
    );
    // A request to listen is answered whatever it names; the log of the server shows the result.
    if (isReached && !(isModern && way.startsWith("watch"))) succeeded.push(way);
  }
  return succeeded;
}

function one(values: readonly string[]): void {
  assert.deepEqual(values, ["completed"]);
}

async function shownTo({ client }: Connected): Promise<readonly string[]> {
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  return [
    ...prompts.map(({ name }) => name),
    ...resources.map(({ uri }) => uri),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate).filter((uri) => !uri.startsWith("artifact:")),
  ];
}

const PROMPT_WAYS = ["get a prompt", "complete a prompt"];
const RESOURCE_WAYS = ["complete an address", "read a resource"];

for (const isModern of [false, true])
  // A usual run tries each transport, and each form of the protocol, once.
  for (const overHttp of isLong ? [false, true] : [isModern]) {
    const how = `${overHttp ? "over HTTP" : "on stdio"}, ${isModern ? "without" : "with"} a handshake`;
    const watch = isModern ? [] : ["watch a resource"];
    const connect = async (t: TestContext, { place }: Scene, args: readonly string[]): Promise<Connected> => {
      if (!overHttp) return connectMcp(t, place, { args, isModern });
      return connectHttp(t, (await serveMcp(t, place, args)).address, { isModern });
    };

    test(`${how}, a client that was limited to tools reaches nothing else of any server`, async (t) => {
      const scene = sceneOf(t);
      const limited = await connect(t, scene, ["--mode", "yolo", "--tools", "a__echo,grep"]);
      assert.deepEqual(await shownTo(limited), []);
      for (const name of ["a", "b"]) assert.deepEqual(await reachAll(limited, name), [], name);
      for (const server of scene.servers) assert.deepEqual(reachedOf(server), []);
    });

    test(`${how}, a limit that names prompts, or read_resource, has these`, async (t) => {
      const scene = sceneOf(t);
      const prompting = await connect(t, scene, ["--mode", "yolo", "--tools", "a__*"]);
      assert.deepEqual(await shownTo(prompting), ["a__greet"]);
      assert.deepEqual(await reachAll(prompting, "a"), PROMPT_WAYS);
      assert.deepEqual(await reachAll(prompting, "b"), []);
      const reading = await connect(t, scene, ["--mode", "yolo", "--tools", "read_resource"]);
      assert.equal((await shownTo(reading)).length, 4);
      assert.deepEqual(await reachAll(reading, "b"), [...RESOURCE_WAYS, ...watch]);
    });

    for (const rule of [{ source: "mcp:a" }, { tool: "a__*" }])
      test(`${how}, what a rule denies of a server is denied in every way: ${JSON.stringify(rule)}`, async (t) => {
        const scene = sceneOf(t, [{ ...rule, decision: "deny" }]);
        const client = await connect(t, scene, ["--mode", "yolo"]);
        await shownTo(client);
        assert.deepEqual(await reachAll(client, "a"), []);
        assert.deepEqual(reachedOf(scene.servers[0]), []);
        assert.deepEqual(await reachAll(client, "b"), [...PROMPT_WAYS, ...RESOURCE_WAYS, ...watch]);
        assert.ok(scene.servers[1].diary().includes("resources/subscribe"));
      });
  }

test("a client that limited itself in its address can use no more than that", async (t) => {
  const scene = sceneOf(t);
  const { address } = await serveMcp(t, scene.place, ["--mode", "yolo"]);
  for (const isModern of [false, true]) {
    const url = new URL(address);
    url.searchParams.set("tools", "b__*");
    const bound = await connectHttp(t, url, { isModern });
    assert.deepEqual(await shownTo(bound), ["b__greet"]);
    assert.deepEqual(await reachAll(bound, "a"), []);
  }
  assert.deepEqual(reachedOf(scene.servers[0]), []);
});

test("a prompt is text: plan mode allows it without approval", async (t) => {
  const scene = sceneOf(t);
  for (const mode of ["plan", "ask"]) {
    const client = await connectMcp(t, scene.place, { args: ["--mode", mode] });
    const { messages } = await client.client.getPrompt({ name: "a__greet" });
    assert.equal(messages.length, 1, mode);
  }
});
