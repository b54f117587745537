import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import type { JsonObject } from "../../core/json.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { openApi, petsApi, run, serveApi, specFile } from "../../../test/support/servers/openapi.ts";
import { brokenLimits } from "../../../test/support/models/provider-limits.ts";
import type { ApiSourceOptions } from "./source.ts";

test("each operation is a tool with one flat schema, and its risk and effects follow its method", async (t) => {
  const { engine } = await openApi(t, { spec: specFile(t, petsApi("http://127.0.0.1:1")) });
  const specs = engine.list();
  assert.deepEqual(
    specs.map(({ name, risk, effects }) => [name, risk, effects]),
    [
      ["pets__pets_list", "medium", "none"],
      ["pets__pets_create", "high", "unsafe"],
      ["pets__pets_replace", "high", "idempotent"],
      ["pets__delete_pets_id", "high", "idempotent"],
      ["pets__import", "high", "unsafe"],
      ["pets__lines", "high", "unsafe"],
    ],
  );
  const [list, create, replace] = specs;
  assert.deepEqual(Object.keys(list?.input["properties"] as object), [
    "filter_kind",
    "page",
    "by",
    "X-Trace",
    "seen",
  ]);
  assert.match(
    list?.description ?? "",
    /^GET \/pets\nLists pets\nReturns \{name: string, owner: \{id: integer, pets: /,
  );
  assert.deepEqual(create?.input["required"], ["name"]);
  // A schema inside itself accepts anything, and what only the server sets is left out.
  const { owner } = (create?.input["properties"] ?? {}) as JsonObject;
  assert.deepEqual(owner, {
    type: "object",
    properties: { pets: { type: "array", items: {} } },
  });
  assert.deepEqual(Object.keys(replace?.input["properties"] as object), ["id", "name", "owner", "id_body"]);
  assert.deepEqual(replace?.input["required"], ["id"]);
});

test("a default is named and not sent, values have the type of their parameter, and a GET has no unknown body", async (t) => {
  const { port, origin, received } = await serveApi(t, {});
  const schema = {
    nullable: true,
    type: "object",
    properties: { private: { type: "boolean", default: false }, kind: { type: "string", enum: [1, "b"] } },
  };
  const requestBody = { content: { "application/json": { schema } } };
  const level = { name: "level", in: "query", schema: { type: "integer", enum: ["1", "2"], default: 1 } };
  const paths = {
    "/a": { patch: { operationId: "change", parameters: [level], requestBody, responses: {} } },
    "/b": {
      get: { operationId: "list", requestBody: { content: { "*/*": { schema: {} } } }, responses: {} },
    },
  };
  const spec = specFile(t, { openapi: "3.0.0", servers: [{ url: origin }], paths });
  const { engine } = await openApi(t, { port, spec });
  const [change, list] = engine.list();
  assert.deepEqual(change?.input["properties"], {
    level: { type: "integer", enum: [1, 2], description: "(default: 1)" },
    private: { type: "boolean", description: "(default: false)" },
    kind: { type: "string", enum: ["1", "b"] },
  });
  assert.deepEqual(list?.input["properties"], {});
  assert.ok((await run(engine, "change", { kind: "1" })).ok);
  assert.deepEqual([received[0]?.line, received[0]?.body], ["PATCH /a", '{"kind":"1"}']);
});

test("operations are included and excluded by tag, path, method and name", async (t) => {
  const spec = specFile(t, petsApi("http://127.0.0.1:1"));
  const cases: readonly (readonly [Pick<ApiSourceOptions, "include" | "exclude">, readonly string[]])[] = [
    [{ include: ["tag:read"] }, ["pets_list"]],
    [{ include: ["/pets*"], exclude: ["tag:danger", "POST /pets"] }, ["pets_list", "pets_replace"]],
    [{ include: ["pets/create", "li*"] }, ["pets_create", "lines"]],
    [{ exclude: ["*pets*"] }, ["import", "lines"]],
  ];
  for (const [selection, names] of cases) {
    const { engine } = await openApi(t, { spec, ...selection });
    assert.deepEqual(
      engine.list().map(({ name }) => name.slice(6)),
      names,
    );
  }
});

test("a changed operation stays out until it is approved, and pinned ones need no document", async (t) => {
  const collections = createMemoryCollections();
  const pins = collections.open("api-pins");
  const spec = specFile(t, petsApi("http://127.0.0.1:1"));
  await openApi(t, { spec, pins });
  const changed = petsApi("http://127.0.0.1:1");
  const paths = changed["paths"] as Record<string, Record<string, JsonObject>>;
  paths["/lines"] = { post: { operationId: "lines", summary: "Sends lines elsewhere" } };
  writeFileSync(spec, JSON.stringify(changed));
  const { engine, source } = await openApi(t, { spec, pins });
  assert.ok(!engine.list().some(({ name }) => name === "pets__lines"));
  const [problem] = engine.sources.problems();
  assert.deepEqual([problem?.reason, problem?.hint], ["changed", "run toolwright api approve pets"]);
  await source.approve(await source.review(AbortSignal.timeout(30_000)));
  writeFileSync(spec, "gone");
  const { engine: late } = await openApi(t, { spec, pins, startsLate: true });
  assert.equal(late.get("pets__lines")?.description, "POST /lines\nSends lines elsewhere");
});

test("YAML, Swagger 2 and relative servers are read; what is no document is refused with the reason", async (t) => {
  const yaml = "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      operationId: a\n      responses: {}\n";
  const { engine } = await openApi(t, { spec: specFile(t, yaml, "a.yaml"), url: "https://a.example" });
  assert.notEqual(engine.get("pets__a"), undefined);
  const swagger = {
    swagger: "2.0",
    host: "b.example",
    schemes: ["https"],
    basePath: "/v1",
    paths: { "/b": { get: { operationId: "b", responses: {} } } },
  };
  const { engine: old } = await openApi(t, { spec: specFile(t, swagger) });
  assert.notEqual(old.get("pets__b"), undefined);
  const { engine: homeless } = await openApi(t, {
    spec: specFile(t, { openapi: "3.0.0", paths: { "/c": { get: {} } } }),
  });
  assert.match(homeless.sources.problems()[0]?.message ?? "", /no address of a server/);
  for (const text of ["", "{", "just text", '{"openapi": "3.0.0"}', "[1]"]) {
    const { engine: none } = await openApi(t, { spec: specFile(t, text) });
    assert.match(none.sources.problems()[0]?.message ?? "", /OpenAPI|parse|document/i, text);
  }
});

test("a document with 500 operations becomes valid tools for every provider, also with hostile names and schemas", async (t) => {
  const loop = { type: "array", items: { $ref: "#/components/schemas/Loop" } };
  const paths = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `/things/${index}/{id}`,
      {
        [["get", "post", "put", "patch", "delete"][index % 5] ?? "get"]: {
          operationId:
            index % 7 === 0
              ? `Größe ${index} / of ${"long ".repeat(20)}`
              : `thing.${index % 3 === 0 ? "same" : index}`,
          description: "d".repeat(3000),
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string", pattern: "^[a-z" } },
            { name: "ids[]", in: "query", schema: { $ref: "#/components/schemas/Loop" } },
            { name: "__proto__", in: "query", schema: { type: ["string", "null"] } },
            { $ref: "#/components/parameters/Missing" },
            { name: "x", in: "query", schema: { $ref: "other.json#/X" } },
          ],
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  oneOf: [
                    { $ref: "#/components/schemas/Loop" },
                    { type: "object", additionalProperties: { type: "integer" } },
                  ],
                },
              },
            },
          },
          responses: {
            200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Loop" } } } },
          },
        },
      },
    ]),
  );
  const spec = specFile(t, {
    openapi: "3.1.0",
    servers: [{ url: "https://x.example" }],
    components: { schemas: { Loop: loop } },
    paths,
  });
  const { engine } = await openApi(t, { spec });
  assert.deepEqual(engine.sources.problems(), []);
  assert.equal(engine.list().length, 500);
  for (const format of ["openai", "openai-responses", "anthropic", "google", "mcp"] as const) {
    const specs = engine.specs(format);
    assert.equal(specs.length, 500);
    assert.deepEqual(
      specs.flatMap((one) => brokenLimits(one, format)),
      [],
    );
  }
});
