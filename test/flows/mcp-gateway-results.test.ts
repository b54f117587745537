import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { createPlace, type Place } from "./support/cli.ts";
import { connectMcp, textOf, type Connected } from "./support/mcp-client.ts";

interface Options {
  /** Settings besides the server. */
  readonly settings?: object;
  /** Settings of the server. */
  readonly server?: object;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const YOLO = ["--mode", "yolo"];

/** A gateway with one server, whose tool `answer` returns the result it is given. */
async function connectRaw(
  t: TestContext,
  { settings = {}, server = {}, args = YOLO, environment = {} }: Options = {},
): Promise<Connected & { readonly place: Place }> {
  const outputSchema = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] };
  const given = {
    title: "Rows",
    annotations: { readOnlyHint: true, title: "Rows of a table" },
    _meta: { "example.org/kind": "table" },
  };
  const tools = [toolOf("answer"), toolOf("rows", { outputSchema, ...given })];
  const { command, args: program } = rawServer(t, { tools }).server;
  const place = createPlace(t);
  const mcpServers = { raw: { command, args: program, ...server } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers, ...settings }));
  return { ...(await connectMcp(t, place, { args, environment })), place };
}

async function answer({ client }: Connected, result: object) {
  return client.callTool({ name: "raw__answer", arguments: { result } });
}

const LONG = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join("\n");

test("an answer of a built-in tool reaches clients that show structured content alone", async (t) => {
  const connected = await connectRaw(t, { settings: { groups: { files: true } } });
  const { client, place } = connected;
  place.write("a.txt", "the text of the file\n");
  const path = join(place.folder, "a.txt");
  for (const [name, input] of [
    ["read_file", { path }],
    ["read_many_files", { paths: [path] }],
    ["str_replace_editor", { command: "view", path }],
  ] as const) {
    const { content, structuredContent } = await client.callTool({ name, arguments: input });
    assert.match(JSON.stringify(content), /the text of the file/, name);
    if (structuredContent !== undefined)
      assert.match(JSON.stringify(structuredContent), /the text of the file/, name);
  }
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.filter(({ outputSchema }) => outputSchema !== undefined).map(({ name }) => name),
    ["raw__rows"],
  );
});

test("structured content can be switched on and off for a client by its name", async (t) => {
  const always = await connectRaw(t, {
    settings: { mcpClients: { "te*": { structuredContent: "always" } } },
  });
  always.place.write("a.txt", "the text\n");
  const input = { path: join(always.place.folder, "a.txt") };
  const read = await always.client.callTool({ name: "read_file", arguments: input });
  assert.notEqual(read.structuredContent, undefined);
  const listed = (await always.client.listTools()).tools.find(({ name }) => name === "raw__rows");
  assert.notEqual(listed?.outputSchema, undefined);
  const never = await connectRaw(t, {
    settings: {
      mcpClients: { test: { structuredContent: "never" }, other: { structuredContent: "always" } },
    },
  });
  const result = { content: [{ type: "text", text: "one" }], structuredContent: { n: 1 } };
  const shown = await answer(never, result);
  assert.deepEqual([shown.structuredContent, textOf(shown)], [undefined, "one"]);
  const { tools } = await never.client.listTools();
  assert.ok(tools.every(({ outputSchema }) => outputSchema === undefined));
});

test("an answer of a server is passed on as it came, whatever its size", async (t) => {
  const connected = await connectRaw(t);
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, text: `row ${id} `.repeat(5) }));
  const results = [
    { content: [{ type: "text", text: LONG }], structuredContent: { rows } },
    { content: [], structuredContent: { rows } },
    {
      content: [
        { type: "text", text: "a\u001b[1mb", annotations: { audience: ["user"], priority: 0.5 } },
        { type: "image", data: "aGk=", mimeType: "image/png", _meta: { "example.org/a": 1 } },
        { type: "resource", resource: { uri: "note://one", mimeType: "text/plain", text: "one" } },
        { type: "resource", resource: { uri: "note://two", mimeType: "application/pdf", blob: "aGk=" } },
        { type: "resource_link", uri: "note://three", name: "three", title: "Three" },
      ],
      _meta: { "example.org/b": 2 },
    },
    {
      content: [{ type: "text", text: `Traceback:\n${LONG}\nValueError: the real reason` }],
      isError: true,
    },
  ];
  for (const result of results) assert.deepEqual(await answer(connected, result), result);
  const { tools } = await connected.client.listTools();
  const listed = tools.find(({ name }) => name === "raw__rows");
  assert.deepEqual(
    [listed?.title, listed?.annotations, listed?._meta],
    ["Rows", { readOnlyHint: true, title: "Rows of a table" }, { "example.org/kind": "table" }],
  );
});

test("secrets are masked in everything that is passed on", async (t) => {
  const secret = "correct-horse-battery";
  const connected = await connectRaw(t, { environment: { TEST_API_KEY: secret } });
  const text = `the key is ${secret}`;
  const resource = { uri: `note://${secret}`, text };
  const result = await answer(connected, {
    content: [
      { type: "text", text },
      { type: "resource", resource },
    ],
    structuredContent: { text },
    _meta: { "example.org/text": text },
  });
  assert.ok(!JSON.stringify(result).includes(secret), JSON.stringify(result));
});

for (const [whose, options] of [
  ["the server", { server: { maxResultBytes: 20_000 } }],
  ["the client", { settings: { mcpClients: { "*": { maxResultBytes: 20_000 } } } }],
] as const)
  test(`an answer over the limit of ${whose} is marked, and its client can read the rest`, async (t) => {
    const connected = await connectRaw(t, { ...options, args: [...YOLO, "--tools", "raw__*"] });
    const { client } = connected;
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(await names(), ["raw__answer", "raw__rows"]);
    const denied = await client.callTool({ name: "read_artifact", arguments: { id: "x" } });
    assert.equal(denied.isError, true);
    const short = { content: [{ type: "text", text: LONG.slice(0, 15_000) }], structuredContent: { n: 1 } };
    assert.deepEqual(await answer(connected, short), short);
    const cut = await answer(connected, { content: [{ type: "text", text: LONG }], structuredContent: {} });
    const [shown, notice] = cut.content as { readonly text: string }[];
    assert.ok(LONG.startsWith(shown?.text ?? "-") && (shown?.text.length ?? 0) > 15_000);
    assert.equal(cut.structuredContent, undefined);
    const id = /read_artifact id="([^"]+)"/.exec(notice?.text ?? "")?.[1] ?? "";
    assert.deepEqual(await names(), ["read_artifact", "raw__answer", "raw__rows"]);
    const start = LONG.length - 9;
    const rest = await client.callTool({ name: "read_artifact", arguments: { id, start } });
    assert.match(textOf(rest), /line 2999$/);
    const foreign = await client.callTool({ name: "read_artifact", arguments: { id: "other" } });
    assert.match(textOf(foreign), /--tools|not one of|denied|ceiling|allow/i);
    assert.ok((await client.listTools()).tools.every(({ outputSchema }) => outputSchema === undefined));
  });
