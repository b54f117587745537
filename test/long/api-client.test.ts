import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { isObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { createPlace } from "../flows/support/cli.ts";
import { startServe, type ServedPlace } from "../flows/support/serve.ts";
import { installPackage } from "../support/programs/npm-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// About a minute. Packages from npm: a generator of TypeScript with its client, and OpenAPI Generator, which needs Java.

const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

const [baseUrl = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const ran = await client.POST("/api/calls", { body: { name: "read_file", input: { path: "notes.txt" } } });
if (ran.data === undefined || !("ok" in ran.data)) throw new Error(JSON.stringify(ran.error));
const result: components["schemas"]["Result"] = ran.data;
const page = await client.GET("/api/calls", { params: { query: { limit: 1 } } });
const call: components["schemas"]["Call"] | undefined = page.data?.calls[0];
const missing = await client.GET("/api/calls/{callId}", { params: { path: { callId: "none" } } });
const wrong = await client.POST("/api/calls", { body: { name: "read_file", input: {} } });
const job = await client.POST("/execute", { body: { tool: "read_file", params: { path: "notes.txt" } } });
console.log(
  JSON.stringify([
    result.ok,
    call?.name,
    missing.response.status,
    missing.error?.error.code,
    wrong.response.status,
    job.data?.ok,
  ]),
);
// @ts-expect-error no tool takes a text
await client.POST("/api/calls", { body: { name: "ls", input: "text" } }).catch(() => undefined);
`;

test("a client generated from the document compiles and works", { timeout: 300_000 }, async (t) => {
  const place = createPlace(t);
  place.write("notes.txt", "one\n");
  const served = await startServe(t, place);
  const document = await readDocument(served);
  const folder = temporaryFolder(t);
  const [generator, client] = [installPackage("openapi-typescript"), installPackage("openapi-fetch")];
  symlinkSync(client.folder, join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  writeFileSync(join(folder, "client.ts"), PROGRAM);
  const run = runIn(folder);
  await run(generator.program("openapi-typescript"), "openapi.json", "-o", "api.d.ts");
  const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
  const flags = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext", ...types];
  await run(resolve("node_modules/.bin/tsc"), ...flags, "--allowImportingTsExtensions", "client.ts");
  const printed = await run(process.execPath, "client.ts", served.address.origin, served.token);
  assert.deepEqual(JSON.parse(printed), [true, "read_file", 404, "NOT_FOUND", 422, true]);
});

/** The last release whose npm package has the generator itself; later ones download it from elsewhere. */
const OPENAPI_GENERATOR = ["@openapitools/openapi-generator-cli", "1.0.18-5.0.0-beta2"] as const;

const PYTHON = `
import json, sys
sys.path.insert(0, "client")
import toolwright_api as api
from toolwright_api.api.default_api import DefaultApi

configuration = api.Configuration(host=sys.argv[1])
configuration.access_token = sys.argv[2]
client = DefaultApi(api.ApiClient(configuration))
result = client.run(api.NewCall(name="read_file", input={"path": "notes.txt"}))
page = client.calls(limit=1)
refusals = []
for refused in (lambda: client.call("none"), lambda: client.run(api.NewCall(name="read_file", input={}))):
    try:
        refused()
    except api.ApiException as error:
        refusals.append([error.status, json.loads(error.body)["error"]["code"]])
try:
    api.NewCall(input={})
except ValueError as error:
    refusals.append("name" in str(error))
print(json.dumps([type(result).__name__, result.ok, type(page.calls[0]).__name__, page.calls[0].outcome, refusals]))
`;

const missing = ["java -version", "python3 -c 'import urllib3, six, dateutil, certifi'"].find(
  (command) => spawnSync("/bin/sh", ["-c", command]).status !== 0,
);

test(
  "a Python client generated from the document runs",
  { timeout: 300_000, skip: missing === undefined ? false : `${missing} fails` },
  async (t) => {
    const place = createPlace(t);
    place.write("notes.txt", "one\n");
    const served = await startServe(t, place);
    const folder = temporaryFolder(t);
    const document = { ...(toVersion30(await readDocument(served)) as object), openapi: "3.0.3" };
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
    writeFileSync(join(folder, "client.py"), PYTHON);
    const { folder: packages } = installPackage(...OPENAPI_GENERATOR);
    const jar = join(packages, "@openapitools/openapi-generator-cli/bin/openapi-generator.jar");
    const run = runIn(folder);
    const options = ["-i", "openapi.json", "-o", "client", "--package-name", "toolwright_api"];
    await run("java", "-jar", jar, "generate", "-g", "python", ...options);
    const printed = await run("python3", "client.py", served.address.origin, served.token);
    const refusals = [[404, "NOT_FOUND"], [422, "INVALID_INPUT"], true];
    assert.deepEqual(JSON.parse(printed), ["Result", true, "Call", "ok", refusals]);
  },
);

/** Returns a schema of OpenAPI 3.1 in the words of 3.0, the newest that this generator reads: there, `nullable` stands for the type null. */
function toVersion30(value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => toVersion30(item));
  if (!isObject(value)) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toVersion30(item)]));
  const { anyOf: alternatives, ...rest }: JsonObject = schema;
  if (!Array.isArray(alternatives)) return schema;
  const others = alternatives.filter((one) => !isObject(one) || one["type"] !== "null");
  const [only] = others;
  if (others.length === alternatives.length) return schema;
  if (others.length === 1 && isObject(only) && !("$ref" in only)) return { ...only, ...rest, nullable: true };
  return { ...rest, [others.length === 1 ? "allOf" : "anyOf"]: others, nullable: true };
}

async function readDocument({ address, token }: ServedPlace): Promise<Json> {
  const response = await fetch(new URL("/api/openapi.json", address), {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await response.json()) as Json;
}

const execute = promisify(execFile);

/** Returns a function that runs a program in a folder and returns what it printed; meanwhile the server in this process answers. */
function runIn(folder: string) {
  return async (...command: readonly [string, ...string[]]): Promise<string> => {
    const [program, ...args] = command;
    return (await execute(program, args, { cwd: folder })).stdout;
  };
}
