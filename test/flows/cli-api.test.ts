import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { petsApi, serveApi } from "../support/servers/openapi.ts";
import { createPlace, runCli } from "./support/cli.ts";

test("an API is added, called with its login, listed, approved after a change, and removed", async (t) => {
  const place = createPlace(t);
  const { port, origin, received } = await serveApi(t, { body: '[{"name": "Rex"}]' });
  const web = { privateHosts: [`127.0.0.1:${port}`] };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ web }));
  place.write("pets.json", JSON.stringify(petsApi(origin)));
  const environment = { PETS_TOKEN: "a-long-token-value" };
  const cli = (...args: readonly string[]) => runCli(place, args, { environment });
  const added = await cli(
    "api",
    "add",
    "pets",
    "pets.json",
    "--auth",
    "bearer:PETS_TOKEN",
    "--exclude",
    "tag:danger",
  );
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /added pets to .*config\.json: 5 operations/);
  assert.match((await cli("tools", "--group", "pets")).stdout, /pets__pets_create +pets +high/);
  const called = await cli("call", "pets__pets_list", "page=2", "--mode", "yolo");
  assert.equal(called.code, 0, called.stderr);
  assert.match(called.stdout, /Rex/);
  assert.deepEqual(
    [received[0]?.line, received[0]?.headers["authorization"]],
    ["GET /v2/pets?page=2", "Bearer a-long-token-value"],
  );
  const denied = await cli("call", "pets__pets_create", "name=Rex");
  assert.equal(denied.code, 3);
  assert.equal(received.length, 1);
  assert.match((await cli("api", "list")).stdout, /^pets +\S+pets\.json +bearer: PETS_TOKEN$/m);
  assert.match((await runCli(place, ["api", "list"])).stdout, /PETS_TOKEN is not set/);
  place.write(
    "pets.json",
    readFileSync(join(place.folder, "pets.json"), "utf8").replace("Lists pets", "Lists all pets"),
  );
  assert.match(
    (await cli("tools", "--problems")).stdout,
    /changed +pets__pets_list\n[^]*toolwright api approve pets/,
  );
  assert.equal((await cli("api", "approve", "pets")).code, 3);
  assert.match(
    (await cli("api", "approve", "pets", "--yes")).stdout,
    /\+ description: .*Lists all pets[^]*approved pets_list/,
  );
  assert.match((await cli("api", "remove", "pets")).stdout, /removed pets/);
  assert.match((await cli("api", "list")).stdout, /no API is configured/);
});

test("mistakes with APIs are answered with what to do", async (t) => {
  const place = createPlace(t);
  place.write("text.txt", "just text");
  place.write("broken.yaml", "openapi: 3.0.0\npaths: {a: [\n");
  place.write("empty.json", '{"openapi": "3.0.0", "paths": {}}');
  const mistakes: readonly (readonly [string, RegExp])[] = [
    ["api", /missing action/],
    ["api add pets", /expected a name and a document/],
    ["api add pets none.json", /cannot read .*none\.json: ENOENT/],
    ["api add pets text.txt", /is not an OpenAPI document/],
    ["api add pets broken.yaml", /broken\.yaml cannot be parsed: Flow sequence .*at line 3, column 1/],
    ["api add pets empty.json", /has no operations/],
    ["api add a/b empty.json", /invalid name/],
    ["api add pets empty.json --auth oauth2:X", /expected bearer:VARIABLE/],
    ["api remove pets", /has no api "pets"/],
    ["api approve pets", /there is no api "pets"/],
    ["api list --yes", /--yes cannot be used/],
  ];
  for (const [line, message] of mistakes) {
    const { code, stderr } = await runCli(place, line.split(" "));
    assert.equal(code, 2, line);
    assert.match(stderr, message, line);
  }
});
