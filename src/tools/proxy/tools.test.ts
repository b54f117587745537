import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { proxyEngine } from "../../../test/support/browser/proxy.ts";
import { startWebServer } from "../../../test/support/servers/web-server.ts";
import type { JsonObject } from "../../core/json.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

/** The tools without a proxy program: requests are sent by send_request. */
async function open(t: TestContext) {
  const { origin: http } = await startWebServer(t, ({ url }, response) =>
    url === "/moved" ? response.writeHead(302, { location: "/else" }).end() : response.end("page"),
  );
  const { run } = proxyEngine(t);
  const fetch = (path: string) => run("send_request", { method: "GET", url: `${http}${path}` });
  const listed = async (input: JsonObject = {}) => {
    const { data, text } = await run("list_requests", input);
    assert(Array.isArray(data["requests"]), text);
    return data["requests"] as readonly JsonObject[];
  };
  return { http, run, fetch, listed };
}

test("what is stored is masked, so that another process cannot repeat a request with a secret unless it sets that anew", async (t) => {
  const { http } = await open(t);
  const collections = createMemoryCollections();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const first = proxyEngine(t, { collections });
  const sent = await first.run("send_request", { method: "GET", url: `${http}/own`, headers }, "s");
  assert.equal(sent.code, "ok");
  const stored = await Promise.all(["requests", "exchanges"].map((name) => collections.open(name).list()));
  assert.deepEqual(
    stored.map((documents) => documents.length),
    [1, 1],
  );
  assert.doesNotMatch(JSON.stringify(stored), /ghp_/);
  const second = proxyEngine(t, { collections });
  const refused = await second.run("repeat_request", { request_id: "r1" }, "s");
  assert.match(refused.text, /was not sent: a secret is masked in the header authorization/);
  const modifications = { headers: { authorization: "none" } };
  const repeated = await second.run("repeat_request", { request_id: "r1", modifications }, "s");
  assert.equal(repeated.data["request_id"], "r2");
});

test("a redirect is not followed", async (t) => {
  const { fetch } = await open(t);
  assert.equal((await fetch("/moved")).data["status"], 302);
});

test("scopes and the sitemap choose among requests", async (t) => {
  const { http, run, fetch, listed } = await open(t);
  for (const path of ["/api/users?id=1", "/api/users?name=x", "/api/", "/static/a.js", "/"])
    await fetch(path);
  const scope = {
    action: "create",
    scope_name: "api",
    allowlist: ["127.0.0.1/api/*"],
    denylist: ["*/none"],
  };
  const scope_id = (await run("scope_rules", scope)).data["scope_id"] as string;
  assert.equal((await listed({ scope_id })).length, 3);
  const tree = await run("list_sitemap", { scope_id, depth: 3 });
  const expected = [`${http}/ (3 GET)`, `  ${http}/api/ (3 GET)`, `    ${http}/api/users (2 GET)`];
  assert.ok(tree.text.includes(expected.join("\n")), tree.text);
  const below = await run("list_sitemap", { parent_id: `${http}/api/` });
  assert.equal(below.data["total"], 1);
  const entry = await run("view_sitemap_entry", { entry_id: `${http}/api/users` });
  assert.deepEqual(entry.data["parameters"], { id: 1, name: 1 });
  assert.match((await run("view_sitemap_entry", { entry_id: "x" })).text, /unknown entry "x"/);
  const changed = { action: "update", scope_id, denylist: ["127.0.0.1/api/users"] };
  assert.equal((await run("scope_rules", changed)).code, "ok");
  assert.equal((await listed({ scope_id })).length, 1);
  assert.match((await run("scope_rules", { action: "list" })).text, /api: 127.0.0.1\/api\/\*, without/);
  assert.equal((await run("scope_rules", { action: "delete", scope_id })).code, "ok");
  assert.match((await run("list_requests", { scope_id })).text, /unknown scope/);
  const wrong = { action: "create", scope_name: "x", allowlist: ["http://a/"] };
  assert.match((await run("scope_rules", wrong)).text, /allowlist\/0: expected a host/);
});

test("list_requests has pages, an order and filters, and refuses a wrong filter at its column", async (t) => {
  const { run, fetch, listed } = await open(t);
  for (const path of ["/c", "/a", "/b"]) await fetch(path);
  const paths = async (input: JsonObject) => (await listed(input)).map(({ path }) => path);
  assert.deepEqual(await paths({}), ["/b", "/a", "/c"]);
  assert.deepEqual(await paths({ sort_by: "path", sort_order: "asc", page_size: 2 }), ["/a", "/b"]);
  assert.deepEqual(await paths({ sort_by: "path", sort_order: "asc", page_size: 2, page: 2 }), ["/c"]);
  assert.deepEqual(await paths({ filter: 'NOT "/a"' }), ["/b", "/c"]);
  const none = await run("list_requests", { filter: '"/z"' });
  assert.match(none.text, /none of the 3 captured requests matches/);
  const wrong = await run("list_requests", { filter: '"/a" AND req.pth.eq:1' });
  assert.match(wrong.text, /\/filter: expected at column 10 a field: /);
});
