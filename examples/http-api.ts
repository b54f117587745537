// The operations of an OpenAPI document are tools of an engine.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { createApiSource } from "toolwright/sources";

// An API on this machine, and its document.
const server = createServer(({ url, headers: { authorization } }, response) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify({ url, authorization })),
);
await once(server.listen(0, "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;
const folder = mkdtempSync(join(tmpdir(), "toolwright-api-"));
const spec = join(folder, "pets.json");
const find = {
  operationId: "findPets",
  summary: "Finds pets",
  parameters: [{ name: "kind", in: "query", required: true, schema: { type: "string" } }],
  responses: { 200: { description: "pets" } },
};
const document = {
  openapi: "3.1.0",
  servers: [{ url: `http://127.0.0.1:${port}` }],
  paths: { "/pets": { get: find } },
};
writeFileSync(spec, JSON.stringify(document));

const engine = createEngine({ mode: "yolo", secrets: ["a-long-secret"] });
engine.sources.add(
  createApiSource({
    name: "pets",
    spec,
    login: { type: "bearer", variable: "PETS_TOKEN" },
    variables: { PETS_TOKEN: "a-long-secret" },
    // Only for an API on this machine or in its network.
    web: { privateHosts: [`127.0.0.1:${port}`] },
  }),
);
try {
  const result = await engine.run({ id: "1", name: "pets__findPets", input: { kind: "cat" } });
  console.log(result);
  assert.ok(result.ok);
  assert.deepEqual(result.data, { url: "/pets?kind=cat", authorization: "Bearer ⟦masked⟧" });
} finally {
  await engine.close();
  server.close();
  rmSync(folder, { recursive: true });
}
