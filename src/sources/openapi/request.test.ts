import assert from "node:assert/strict";
import { test } from "node:test";
import { openApi, petsApi, run, serveApi, specFile } from "../../../test/support/servers/openapi.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ApiSourceOptions } from "./source.ts";

test("a call reaches the right path, query, headers, cookies and body, with the login that the model never sees", async (t) => {
  const { port, origin, received } = await serveApi(t, {});
  const { engine } = await openApi(t, {
    port,
    spec: specFile(t, petsApi(origin)),
    login: { type: "apiKey", variable: "KEY" },
    variables: { KEY: "s3cret-key-value" },
    headers: { "x-team": "a" },
  });
  const list = { filter_kind: ["cat", "a&b"], page: 2, by: { age: 3 }, "X-Trace": "t\nx", seen: true };
  assert.ok((await run(engine, "pets_list", list)).ok);
  assert.ok((await run(engine, "pets_create", { name: "Rex" })).ok);
  assert.ok((await run(engine, "pets_replace", { id: "../a/b?", name: "Rex", id_body: 7 })).ok);
  const above = await run(engine, "delete_pets_id", { id: ".." });
  assert.equal(!above.ok && above.error.code, "INVALID_INPUT");
  assert.ok((await run(engine, "import", { names: ["a", "b"], dry: true })).ok);
  assert.ok((await run(engine, "lines", { body: "one\ntwo" })).ok);
  assert.deepEqual(
    received.map(({ line, body }) => [line, body]),
    [
      ["GET /v2/pets?filter%5Bkind%5D=cat&filter%5Bkind%5D=a%26b&page=2&by%5Bage%5D=3", ""],
      ["POST /v2/pets", '{"name":"Rex"}'],
      ["PUT /v2/pets/..%2Fa%2Fb%3F", '{"name":"Rex","id":7}'],
      ["POST /v2/import", "names=a&names=b&dry=true"],
      ["POST /v2/lines", "one\ntwo"],
    ],
  );
  const [first, second, , open_, lines] = received.map(({ headers }) => headers);
  assert.deepEqual([first?.["x-trace"], first?.["cookie"], first?.["x-team"]], ["t x", "seen=true", "a"]);
  assert.deepEqual([first?.["x-pets-key"], second?.["x-pets-key"]], ["s3cret-key-value", "s3cret-key-value"]);
  assert.equal(open_?.["x-pets-key"], undefined);
  assert.equal(lines?.["content-type"], "text/plain");
  assert.ok(!JSON.stringify(engine.specs("openai")).includes("s3cret"));
});

test("the secret of a client goes only to an address of the API's own host, unless the config names another", async (t) => {
  const token = { body: '{"access_token": "t0ken-value-1", "expires_in": 3600}' };
  const { port, origin, received } = await serveApi(t, token, {});
  const login = { type: "oauth2", variable: "A", clientId: "me" } as const;
  const withTokens = async (tokenUrl: string) => {
    const flows = { clientCredentials: { tokenUrl, scopes: {} } };
    const pets = petsApi(origin);
    const securitySchemes = { key: { type: "oauth2", flows } };
    const api = { ...pets, components: { ...(pets["components"] as JsonObject), securitySchemes } };
    return openApi(t, { port, spec: specFile(t, api), login, variables: { A: "first-secret" } });
  };
  const elsewhere = await withTokens(`${origin.replace("127.0.0.1", "localhost")}/token`);
  const refused = await run(elsewhere.engine, "delete_pets_id", { id: "1" });
  assert.equal(!refused.ok && refused.error.code, "MISSING_CREDENTIALS");
  assert.deepEqual(received, []);
  const own = await withTokens(`${origin}/token`);
  assert.ok((await run(own.engine, "delete_pets_id", { id: "1" })).ok);
  assert.deepEqual(
    received.map(({ line }) => line),
    ["POST /token", "DELETE /v2/pets/1"],
  );
});

test("each kind of login is sent, and a token of client credentials is fetched once", async (t) => {
  const token = { body: '{"access_token": "t0ken-value-1", "expires_in": 3600}' };
  const { port, origin, received } = await serveApi(t, {}, {}, {}, token, {});
  const spec = specFile(t, petsApi(origin));
  const variables = { A: "first-secret", B: "user:password-value", C: "key-value-long" };
  const learned: string[] = [];
  const logins: readonly ApiSourceOptions["login"][] = [
    { type: "bearer", variable: "A" },
    { type: "basic", variable: "B" },
    { type: "apiKey", variable: "C", in: "query", name: "key" },
    { type: "oauth2", variable: "A", clientId: "me", tokenUrl: `${origin}/token`, scope: "read" },
  ];
  for (const login of logins) {
    const { engine } = await openApi(t, {
      port,
      spec,
      variables,
      ...(login && { login }),
      onSecret: (secret) => void learned.push(secret),
    });
    assert.ok((await run(engine, "delete_pets_id", { id: "1" })).ok);
    if (login?.type === "oauth2") assert.ok((await run(engine, "delete_pets_id", { id: "2" })).ok);
  }
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;
  assert.deepEqual(
    received.map(({ line, headers }) => [line, headers["authorization"]]),
    [
      ["DELETE /v2/pets/1", "Bearer first-secret"],
      ["DELETE /v2/pets/1", basic("user:password-value")],
      ["DELETE /v2/pets/1?key=key-value-long", undefined],
      ["POST /token", basic("me:first-secret")],
      ["DELETE /v2/pets/1", "Bearer t0ken-value-1"],
      ["DELETE /v2/pets/2", "Bearer t0ken-value-1"],
    ],
  );
  assert.equal(received[3]?.body, "grant_type=client_credentials&scope=read");
  assert.deepEqual(learned, ["t0ken-value-1"]);
});

test("answers have their type, a note on the next page, and errors with status and body", async (t) => {
  const link = '<https://pets.example/v2/pets?page=3>; rel="next"';
  const { port, origin, received } = await serveApi(
    t,
    { headers: { link }, body: '[{"name": "Rex"}]' },
    { body: '{"items": [], "next_cursor": "abc"}' },
    { headers: { "content-type": "text/plain" }, body: "hello" },
    { headers: { "content-type": "application/x-ndjson" }, body: '{"a":1}\n{"a":2}' },
    { headers: { "content-type": "image/png" }, body: "png" },
    { status: 404, body: '{"error": "no such pet"}' },
    { status: 401, body: "" },
    { status: 302, headers: { location: "http://elsewhere.example/" }, body: "" },
  );
  const { engine } = await openApi(t, { port, spec: specFile(t, petsApi(origin)) });
  const first = await run(engine, "pets_list");
  assert.deepEqual(first.ok && first.data, [{ name: "Rex" }]);
  assert.match(JSON.stringify(first.content), /there is a next page: page=3/);
  assert.match(JSON.stringify((await run(engine, "pets_list")).content), /next_cursor is \\"abc\\"/);
  assert.deepEqual((await run(engine, "pets_list")).content, [{ type: "text", text: "hello" }]);
  assert.deepEqual((await run(engine, "pets_list")).content, [{ type: "text", text: '{"a":1}\n{"a":2}' }]);
  assert.equal((await run(engine, "pets_list")).content[0]?.type, "image");
  const [missing, refused, moved] = [
    await run(engine, "pets_list"),
    await run(engine, "pets_list"),
    await run(engine, "pets_list"),
  ];
  assert.ok(!missing.ok && !refused.ok && !moved.ok);
  assert.deepEqual(
    [missing.error.code, missing.error.details],
    ["TOOL_FAILED", { status: 404, body: { error: "no such pet" } }],
  );
  assert.match(missing.error.hint ?? "", /no such pet/);
  assert.deepEqual([refused.error.code, moved.error.code], ["UNAUTHORIZED", "TOOL_FAILED"]);
  assert.match(moved.error.message, /another host/);
  assert.equal(received.length, 8);
});

test("an answer that differs from the only JSON schema of success is delivered with a note, also from pinned definitions", async (t) => {
  const right = { id: 1, tag: null, owner: null, more: { name: "Rex" } };
  const { port, origin } = await serveApi(
    t,
    { body: JSON.stringify(right) },
    { body: '{"id": "1", "tag": 2, "owner": {}, "more": 4}' },
    { body: "[]" },
    { status: 204, body: "" },
  );
  const schema = {
    type: "object",
    required: ["id", "tag", "secret"],
    properties: {
      id: { type: "integer", readOnly: true },
      tag: { type: "string", nullable: true },
      secret: { type: "string", writeOnly: true },
      owner: { nullable: true, allOf: [{ $ref: "#/components/schemas/Pet" }] },
      more: { oneOf: [{ $ref: "#/components/schemas/Pet" }, { $ref: "#/components/schemas/Owner" }] },
    },
  };
  const answer = { content: { "application/json": { schema } } };
  const pets = petsApi(origin);
  const get = (id: string, responses: JsonObject): JsonObject => ({ get: { operationId: id, responses } });
  const paths = {
    "/one": get("one", { 200: answer, 204: { description: "none" }, 404: answer }),
    "/two": get("two", { 200: answer, 202: answer }),
  };
  const pins = createMemoryCollections().open("api-pins");
  const spec = specFile(t, { ...pets, paths });
  await openApi(t, { port, spec, pins });
  const { engine } = await openApi(t, { port, spec, pins, startsLate: true });
  const [fits, differs, list, empty, unchecked] = [
    await run(engine, "one"),
    await run(engine, "one"),
    await run(engine, "one"),
    await run(engine, "one"),
    await run(engine, "two"),
  ];
  assert.deepEqual(fits.ok && fits.data, right);
  assert.doesNotMatch(JSON.stringify(fits.content), /does not match/);
  assert.deepEqual(differs.ok && differs.data, { id: "1", tag: 2, owner: {}, more: 4 });
  assert.match(
    JSON.stringify(differs.content),
    /does not match the schema in the API's document: .*id: expected/,
  );
  assert.match(JSON.stringify(list.content), /document: the answer: expected/);
  assert.ok(list.ok && empty.ok && unchecked.ok);
  assert.doesNotMatch(JSON.stringify([empty.content, unchecked.content]), /does not match/);
});

test("a login without its variable, and an address that the guard refuses, fail before anything is sent", async (t) => {
  const { port, origin, received } = await serveApi(t, {});
  const spec = specFile(t, petsApi(origin));
  const { engine } = await openApi(t, { port, spec, login: { type: "bearer", variable: "NONE" } });
  const missing = await run(engine, "pets_list");
  assert.ok(!missing.ok);
  assert.deepEqual(
    [missing.error.code, missing.error.hint],
    ["MISSING_CREDENTIALS", "set NONE in the environment of toolwright"],
  );
  const { engine: guarded } = await openApi(t, { spec, web: {} });
  const refused = await run(guarded, "pets_list");
  assert.ok(!refused.ok);
  assert.equal(refused.error.code, "DENIED");
  assert.equal(received.length, 0);
});
