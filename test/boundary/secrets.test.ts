import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { builtInTools } from "../../src/tools/built-in.ts";
import { createEngine as createHostEngine } from "../../src/app/host/create-engine.ts";
import { call } from "../support/engines/engine.ts";
import { mcpEngine } from "../support/servers/mcp.ts";
import { rawHttp } from "../support/servers/mcp-http.ts";
import { openApi, petsApi, run, serveApi, specFile } from "../support/servers/openapi.ts";
import { privateKey, secretCases } from "../support/generators/secret-formats.ts";
import { leaksOf, waysOfAgent, waysOfEngine, waysOfProxy } from "../support/generators/secret-ways.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// test/long/secrets.test.ts has every format.
const sample = [...secretCases(101)].filter((_, index) => index % 7 === 0);
for (const [where, waysOf] of [
  ["an engine", waysOfEngine],
  ["an agent", waysOfAgent],
  ["the proxy and a report", waysOfProxy],
] as const) {
  test(`a secret leaves ${where} by no way`, async (t) => {
    assert.deepEqual(leaksOf(sample, await waysOf(t, sample)), []);
  });
}

test("grep shows a private key neither in its text nor in its data, and the lines beside it are shown", async (t) => {
  const root = temporaryFolder(t);
  const key = privateKey(9, "PRIVATE KEY");
  writeFileSync(join(root, "k.pem"), ["first line", ...key, "last line"].join("\n"));
  const engine = createHostEngine({
    mode: "yolo",
    workspace: [root],
    tools: builtInTools({ root, environment: childEnvironment(process.env) }),
  });
  t.after(() => engine.close());
  for (const input of [
    { pattern: ".", path: "k.pem" },
    { pattern: "[A-Za-z]", path: "k.pem", output_mode: "content" },
  ]) {
    const result = await engine.run({ id: "1", name: "grep", input });
    const shown = JSON.stringify(result);
    for (const line of key.slice(1, -1)) assert.ok(!shown.includes(line.slice(0, 26)), shown);
  }
});

test("a line beside a masked one can be edited; an edit with a mask is refused with a hint, and changes nothing", async (t) => {
  const root = temporaryFolder(t);
  const file = join(root, "app.conf");
  const secret = "s3cr3tV4lue9x8y7z";
  writeFileSync(file, `PORT=8080\nAPI_TOKEN=${secret}\nHOST=a\n`);
  const engine = createHostEngine({
    mode: "yolo",
    workspace: [root],
    tools: builtInTools({ root, environment: childEnvironment(process.env) }),
  });
  t.after(() => engine.close());
  const edit = (old_string: string, new_string: string) =>
    engine.run({ id: "1", name: "edit_file", input: { path: "app.conf", old_string, new_string } });
  const read = await engine.run({ id: "1", name: "read_file", input: { path: "app.conf" } });
  assert.ok(read.ok && !JSON.stringify(read).includes(secret) && JSON.stringify(read).includes("PORT=8080"));
  const refused = await edit("API_TOKEN=⟦masked⟧\nHOST=a", "API_TOKEN=⟦masked⟧\nHOST=b");
  assert.match(JSON.stringify(refused), /stands for a secret.*leave the masked part out/);
  assert.equal(readFileSync(file, "utf8"), `PORT=8080\nAPI_TOKEN=${secret}\nHOST=a\n`);
  assert.equal((await edit("HOST=a", "HOST=b")).ok, true);
  assert.equal((await edit("PORT=8080", "PORT=9090")).ok, true);
  assert.equal(readFileSync(file, "utf8"), `PORT=9090\nAPI_TOKEN=${secret}\nHOST=b\n`);
});

test("an engine masks the login of an API that a program adds to it", async (t) => {
  const login = "tok-of-a-program";
  const { port, origin } = await serveApi(t, { body: JSON.stringify({ echo: `login is ${login}` }) });
  const { engine } = await openApi(t, {
    spec: specFile(t, petsApi(origin)),
    port,
    login: { type: "bearer", variable: "T" },
    variables: { T: login },
  });
  const shown = JSON.stringify(await run(engine, "pets_list"));
  assert.ok(shown.includes("login is ⟦masked⟧") && !shown.includes(login), shown);
});

test("an engine masks the headers of an MCP server, and the secret of its client, that a program adds to it", async (t) => {
  const raw = await rawHttp(t);
  const [header, secret] = ["header-of-a-program", "client-secret-of-a-program"];
  const server = {
    ...raw.server,
    headers: { Authorization: `Bearer ${header}` },
    oauth: { clientId: "me", clientSecret: secret },
  };
  const { engine } = await mcpEngine(t, { server });
  const shown = JSON.stringify(await engine.run(call("raw__echo", { text: `got ${header}, ${secret}` })));
  assert.ok(shown.includes("got ⟦masked⟧, ⟦masked⟧"), shown);
});
