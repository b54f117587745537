import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { createPlace } from "../flows/support/cli.ts";
import { startServe } from "../flows/support/serve.ts";
import { installPackage } from "../support/programs/npm-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// About a minute. Two packages from npm.

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
  const response = await fetch(new URL("/api/openapi.json", served.address), {
    headers: { authorization: `Bearer ${served.token}` },
  });
  const folder = temporaryFolder(t);
  const [generator, client] = [installPackage("openapi-typescript"), installPackage("openapi-fetch")];
  symlinkSync(client.folder, join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "openapi.json"), await response.text());
  writeFileSync(join(folder, "client.ts"), PROGRAM);
  const run = (...command: readonly [string, ...string[]]): string => {
    const [program, ...args] = command;
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, `${command.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  run(generator.program("openapi-typescript"), "openapi.json", "-o", "api.d.ts");
  const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
  const flags = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext", ...types];
  run(resolve("node_modules/.bin/tsc"), ...flags, "--allowImportingTsExtensions", "client.ts");
  const printed = run(process.execPath, "client.ts", served.address.origin, served.token);
  assert.deepEqual(JSON.parse(printed), [true, "read_file", 404, "NOT_FOUND", 422, true]);
});
