import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TOKEN_FILES } from "../../src/app/config/access/http-tokens.ts";
import { rawServer, toolOf } from "../support/servers/mcp.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";
import { connectHttp, serveMcp } from "./support/mcp-client.ts";

const callTokenOf = ({ home }: Place): string => readFileSync(join(home, TOKEN_FILES.call), "utf8").trim();

for (const isModern of [false, true])
  test(`a client ${isModern ? "of the newest revision " : ""}that may not approve gets no form for a resource either, nor for a call beside it, and is told where to approve`, async (t) => {
    const place = createPlace(t);
    const { server } = rawServer(t, { resources: [{ uri: "note://one", name: "one" }], prompts: [] });
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { a: server } }));
    const { address } = await serveMcp(t, place);
    address.searchParams.set("token", callTokenOf(place));
    let forms = 0;
    const accept = () => {
      forms += 1;
      return { action: "accept", content: { answer: "once" } } as const;
    };
    const { client, heard } = await connectHttp(t, address, { elicit: accept, isModern });
    await untilTrue(
      "the resource is listed",
      async () => (await client.listResources()).resources.length > 0,
    );
    const ended = new AbortController();
    const progress: (string | undefined)[] = [];
    const options = {
      signal: ended.signal,
      onprogress: ({ message }: { readonly message?: string | undefined }) => progress.push(message),
    };
    const reading = client.readResource({ uri: "note://one" }, options);
    const calling = client.callTool({ name: "shell", arguments: { command: "touch beside" } }, options);
    for (const one of [reading, calling]) one.catch(() => undefined);
    await untilTrue("both wait in the queue", async () => {
      const { stdout } = await runCli(place, ["approve", "--json"]);
      return stdout.includes("note://one") && stdout.includes("touch beside");
    });
    assert.deepEqual([forms, existsSync(join(place.folder, "beside"))], [0, false]);
    await untilTrue("the client is told", () => progress.length >= 2);
    for (const one of progress)
      assert.match(one ?? "", /in the console or with toolwright approve: the token .* may not approve/);
    if (!isModern) assert.match(JSON.stringify(heard), /no form.*may not approve.*run toolwright approve /);
    ended.abort();
  });

test("a question of a server to a client that may not approve is answered with its fields in the queue", async (t) => {
  const place = createPlace(t);
  const { server } = rawServer(t, { tools: [toolOf("elicit")] });
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { a: server } }));
  const { address } = await serveMcp(t, place, ["--mode", "yolo"]);
  address.searchParams.set("token", callTokenOf(place));
  let forms = 0;
  const elicit = () => {
    forms += 1;
    return { action: "accept", content: { name: "Mallory" } } as const;
  };
  const { client } = await connectHttp(t, address, { elicit });
  const form = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const question = { message: "Who are you?", requestedSchema: form };
  await client.listTools();
  const asking = client.callTool({ name: "a__elicit", arguments: question });
  asking.catch(() => undefined);
  const pending = async (): Promise<readonly { readonly id: string }[]> =>
    JSON.parse((await runCli(place, ["approve", "--json"])).stdout);
  await untilTrue("it waits in the queue", async () => (await pending()).length > 0);
  await runCli(place, ["approve", (await pending())[0]?.id ?? "", "--input", '{"name": "Ada"}']);
  assert.match(JSON.stringify(await asking), /accept.*Ada/);
  assert.equal(forms, 0);
});
