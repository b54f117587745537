import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { rawServer, referenceServer, toolOf, type RawServer } from "../support/servers/mcp.ts";
import type { ServerPlan } from "../support/servers/mcp-server.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, until, type Place } from "./support/cli.ts";
import {
  connectHttp,
  connectMcp,
  serveMcp,
  textOf,
  type Connected,
  type McpOptions,
} from "./support/mcp-client.ts";

const EVERYTHING = referenceServer("everything");
const withoutEverything = "missing" in EVERYTHING ? EVERYTHING.missing : false;

/** A place whose user has these servers. */
function placeWith(t: TestContext, servers: Readonly<Record<string, RawServer | readonly string[]>>): Place {
  const place = createPlace(t);
  const mcpServers = Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      "server" in server
        ? { command: server.server.command, args: server.server.args }
        : { command: process.execPath, args: server },
    ]),
  );
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers }));
  return place;
}

/** A gateway with a server for each plan, by its name. */
async function connectWith(
  t: TestContext,
  plans: Readonly<Record<string, ServerPlan>>,
  options: McpOptions = {},
): Promise<Connected & { readonly place: Place; readonly raw: Readonly<Record<string, RawServer>> }> {
  const raw = Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, rawServer(t, plan)]));
  const place = placeWith(t, raw);
  return { ...(await connectMcp(t, place, options)), place, raw };
}

const NOTE = { uri: "note://one", name: "one" };
const YOLO = { args: ["--mode", "yolo"] };

test(
  "the gateway offers the prompts, resources and templates of an upstream server, and a client can follow its links",
  { skip: withoutEverything },
  async (t) => {
    assert.ok("path" in EVERYTHING);
    const place = placeWith(t, { everything: [EVERYTHING.path, "stdio"] });
    const { client } = await connectMcp(t, place, YOLO);
    // A list does not wait for a server that takes long to start.
    await untilTrue("the prompts are listed", async () =>
      (await client.listPrompts()).prompts.some(({ name }) => name === "everything__args-prompt"),
    );
    const asked = { name: "everything__args-prompt", arguments: { city: "Oslo", state: "Oslo" } };
    assert.match(JSON.stringify((await client.getPrompt(asked)).messages), /Oslo/);
    await assert.rejects(client.getPrompt({ name: "everything__none" }), /no prompt is named/);
    const { resources } = await client.listResources();
    const [first] = resources;
    assert.ok(first !== undefined && first.uri.startsWith("demo://"), JSON.stringify(resources));
    const { contents } = await client.readResource({ uri: first.uri });
    assert.equal(contents[0]?.uri, first.uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    assert.ok(templates.includes("demo://resource/dynamic/text/{resourceId}"), String(templates));
    const made = await client.readResource({ uri: "demo://resource/dynamic/text/7" });
    assert.match(JSON.stringify(made.contents), /7/);
    const blob = await client.readResource({ uri: "demo://resource/dynamic/blob/7" });
    assert.ok(blob.contents[0] !== undefined && "blob" in blob.contents[0]);
    const prompt = { type: "ref/prompt", name: "everything__completable-prompt" } as const;
    const argument = { name: "department", value: "E" };
    const { completion } = await client.complete({ ref: prompt, argument });
    assert.ok(completion.values.includes("Engineering"), String(completion.values));
    const template = { type: "ref/resource", uri: "demo://resource/dynamic/text/{resourceId}" } as const;
    const ids = await client.complete({ ref: template, argument: { name: "resourceId", value: "3" } });
    assert.deepEqual(ids.completion.values, ["3"]);
    await client.listTools();
    const name = "everything__get-resource-links";
    const { content } = await client.callTool({ name, arguments: { count: 2 } });
    const links = content.flatMap((block) => (block.type === "resource_link" ? [block] : []));
    assert.equal(links.length, 2, JSON.stringify(content));
    for (const { uri, mimeType } of links) {
      const read = await client.readResource({ uri });
      assert.deepEqual([read.contents[0]?.uri, read.contents[0]?.mimeType], [uri, mimeType]);
    }
  },
);

for (const [how, overHttp, isModern] of [
  ["with a handshake", false, false],
  ["without a handshake", false, true],
  ["without a handshake over HTTP", true, true],
] as const)
  test(`a client is notified of a subscribed upstream resource's changes, ${how}`, async (t) => {
    const place = placeWith(t, { a: rawServer(t, { resources: [NOTE], tools: [toolOf("updated")] }) });
    const { client, heard } = overHttp
      ? await connectHttp(t, (await serveMcp(t, place, YOLO.args)).address, { isModern })
      : await connectMcp(t, place, { ...YOLO, isModern });
    const { uri } = NOTE;
    await client.listTools();
    if (isModern) await client.listen({ resourceSubscriptions: [uri] });
    else await client.subscribeResource({ uri });
    await client.callTool({ name: "a__updated", arguments: { uri, count: 1 } });
    await until("the change is told", () =>
      heard.some(({ method, params }) => {
        return (
          method === "notifications/resources/updated" && JSON.stringify(params).includes(`"uri":"${uri}"`)
        );
      }),
    );
  });

test("the same address at two servers is two resources, and both can be read", async (t) => {
  const plan = { resources: [NOTE], prompts: [{ name: "greet" }] };
  const { client } = await connectWith(t, { a: plan, b: plan }, YOLO);
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ["note://one", "mcp:b/note://one"],
  );
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assert.deepEqual(contents, [{ uri, mimeType: "text/plain", text: "read note://one" }]);
  }
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["a__greet", "b__greet"],
  );
  const { messages } = await client.getPrompt({ name: "b__greet" });
  assert.match(JSON.stringify(messages), /greet/);
});

test("a server that is dead, hangs or lists invalid items affects nothing else", async (t) => {
  const { client } = await connectWith(
    t,
    {
      dead: { start: "die" },
      hanging: { start: "hang" },
      odd: {
        resources: [{ uri: 5 }, { name: "no address" }, { uri: "odd://fine", name: "fine" }],
        prompts: [7],
      },
      well: { resources: [NOTE], prompts: [{ name: "greet" }] },
    },
    YOLO,
  );
  const listed = async (): Promise<readonly string[]> =>
    (await client.listResources()).resources.map(({ uri }) => uri);
  // On a busy machine the list comes before the servers have started.
  await untilTrue("the resources of both servers are listed", async () => (await listed()).length === 2);
  assert.deepEqual(await listed(), ["odd://fine", "note://one"]);
  assert.deepEqual(
    (await client.listPrompts()).prompts.map(({ name }) => name),
    ["well__greet"],
  );
  assert.equal((await client.readResource({ uri: "note://one" })).contents.length, 1);
  await assert.rejects(client.readResource({ uri: "mcp:nobody/note://one" }), /not found/i);
});

test("a changed list of a server is announced", async (t) => {
  const { client, heard, raw } = await connectWith(
    t,
    {
      a: { resources: [NOTE], prompts: [], tools: [toolOf("changed-lists")] },
    },
    YOLO,
  );
  assert.equal((await client.listResources()).resources.length, 1);
  await client.listTools();
  heard.length = 0;
  raw["a"]?.plan({ resources: [NOTE, { uri: "note://two", name: "two" }], tools: [toolOf("changed-lists")] });
  await client.callTool({ name: "a__changed-lists", arguments: {} });
  for (const what of ["resources", "prompts"])
    await until(`${what} are told`, () =>
      heard.some(({ method }) => method === `notifications/${what}/list_changed`),
    );
  assert.equal((await client.listResources()).resources.length, 2);
});

test("reading a resource follows the rules for read_resource", async (t) => {
  const plan = { resources: [NOTE], prompts: [] };
  const uri = "note://one";
  const bound = await connectWith(t, { a: plan }, { args: ["--mode", "plan"] });
  await assert.rejects(bound.client.readResource({ uri }), /plan/);
  assert.ok(!bound.raw["a"]?.diary().includes("resources/read"), "the server was not asked");
  const unable = await connectWith(t, { a: plan }, { args: ["--tools", "grep"] });
  await assert.rejects(unable.client.readResource({ uri }));
  assert.ok(!unable.raw["a"]?.diary().includes("resources/read"));
  for (const isModern of [false, true]) {
    const questions: unknown[] = [];
    const elicit: McpOptions["elicit"] = (question) => {
      questions.push(question);
      return { action: "accept", content: { answer: "once" } };
    };
    const asked = await connectWith(t, { a: plan }, { elicit, isModern });
    await asked.client.listResources();
    assert.equal((await asked.client.readResource({ uri })).contents.length, 1);
    assert.match(JSON.stringify(questions), /read_resource/);
    const { stdout } = await runCli(asked.place, ["trace", "--json", "--limit", "100"]);
    assert.match(stdout, /read_resource.*answered/);
  }
});

test("a client whose approvals come to the queue gets no form for a resource either", async (t) => {
  const place = placeWith(t, { a: rawServer(t, { resources: [NOTE], prompts: [] }) });
  const file = join(place.home, "config.json");
  const config = JSON.parse(readFileSync(file, "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...config, mcpClients: { "*": { approvals: "queue" } } }));
  let forms = 0;
  const elicit: McpOptions["elicit"] = () => {
    forms += 1;
    return { action: "decline" };
  };
  const { client } = await connectMcp(t, place, { elicit });
  await untilTrue("it is listed", async () => (await client.listResources()).resources.length > 0);
  const reading = client.readResource({ uri: NOTE.uri });
  reading.catch(() => undefined);
  const pending = async (): Promise<readonly { readonly id: string }[]> =>
    JSON.parse((await runCli(place, ["approve", "--json"])).stdout);
  await untilTrue("it waits in the queue", async () => (await pending()).length > 0);
  await runCli(place, ["approve", (await pending())[0]?.id ?? ""]);
  assert.deepEqual([(await reading).contents.length, forms], [1, 0]);
});

test("a secret in a resource or a prompt is masked, and nothing else changes", async (t) => {
  const secret = "s3cret-token-value";
  const raw = rawServer(t, {
    resources: [{ uri: `note://${secret}`, name: "n" }],
    prompts: [{ name: "say", arguments: [{ name: "what" }] }],
  });
  const place = createPlace(t);
  const { command, args } = raw.server;
  const mcpServers = { a: { command, args, env: { API_TOKEN: secret } } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers }));
  const { client } = await connectMcp(t, place, YOLO);
  await client.listResources();
  const { contents } = await client.readResource({ uri: `note://${secret}` });
  const [piece] = contents;
  assert.ok(piece !== undefined && "text" in piece);
  assert.match(piece.text, /^read note:\/\//);
  assert.ok(!piece.text.includes(secret));
  const { messages } = await client.getPrompt({ name: "a__say", arguments: { what: `x ${secret} y` } });
  assert.match(JSON.stringify(messages), /^\[\{"role":"user","content":\{"type":"text","text":"say .*x .* y/);
  assert.ok(!JSON.stringify(messages).includes(secret));
});

test("a tool's result is passed on unchanged, without a fence", async (t) => {
  const { client } = await connectWith(t, { a: { tools: [toolOf("echo")] } }, YOLO);
  await client.listTools();
  assert.equal(textOf(await client.callTool({ name: "a__echo", arguments: { text: "plain" } })), "plain");
});

test("run_code makes fifty calls of an upstream server in one call of the client, each with its own entry", async (t) => {
  const echo = toolOf("echo", { inputSchema: { type: "object", properties: { text: { type: "string" } } } });
  const { client, place } = await connectWith(t, { up: { tools: [echo] } }, YOLO);
  await untilTrue("the tool of the server is listed", async () => {
    const { tools } = await client.listTools();
    return tools.some(
      ({ name, description }) => name === "run_code" && description?.includes("up__echo(") === true,
    );
  });
  const code =
    "const all = await Promise.all(Array.from({ length: 50 }, (_, n) => tools.up__echo({ text: `${n}` })));\n" +
    "return all.reduce((sum, { text }) => sum + Number(text), 0);";
  const result = await client.callTool({ name: "run_code", arguments: { code } });
  assert.equal(textOf(result), "1225");
  const { stdout } = await runCli(place, ["trace", "--json", "--limit", "100"]);
  assert.equal(stdout.match(/"name":"up__echo","input"/g)?.length ?? 0, 50);
});
