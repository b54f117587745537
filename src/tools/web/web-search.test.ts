import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { textOf } from "../../../test/support/engines/engine.ts";
import { webEngine } from "../../../test/support/servers/web.ts";
import type { SearchOptions } from "./search-services.ts";

const ROWS = [
  { title: "One", url: "https://a.example/1", content: "first", description: "<strong>first</strong>" },
  { title: "Two", url: "https://b.example/2", content: "second", description: "second" },
  { title: "No address", content: "third", description: "third" },
];

const SERVICES: readonly (readonly [SearchOptions["service"], Omit<SearchOptions, "service">, object])[] = [
  ["searxng", {}, { results: ROWS }],
  ["brave", { key: "brave-key" }, { web: { results: ROWS } }],
  ["tavily", { key: "tavily-key" }, { results: ROWS }],
];

function open(t: Parameters<typeof webEngine>[0], listener: RequestListener, search: SearchOptions) {
  return webEngine(t, listener, ({ origin }) => ({ web: { search: { url: `${origin}/s`, ...search } } }));
}

for (const [service, more, answer] of SERVICES) {
  test(`${service}: results have one form, and the key is sent`, async (t) => {
    const { run, requests } = await open(t, (_, response) => response.end(JSON.stringify(answer)), {
      service,
      ...more,
    });
    const result = await run("web_search", { query: "queues & co" });
    assert.ok(result.ok);
    assert.deepEqual(result.data, {
      results: [
        { title: "One", url: "https://a.example/1", snippet: "first" },
        { title: "Two", url: "https://b.example/2", snippet: "second" },
      ],
    });
    assert.equal(
      textOf(result),
      "1. One\n   https://a.example/1\n   first\n2. Two\n   https://b.example/2\n   second",
    );
    const [request] = requests;
    const sent = request?.headers["x-subscription-token"] ?? request?.headers.authorization ?? "";
    assert.equal(sent, { searxng: "", brave: "brave-key", tavily: "Bearer tavily-key" }[service]);
    if (service !== "tavily") assert.match(request?.url ?? "", /q=queues(\+|%20)%26(\+|%20)co/);
  });
}

test("domains filter the results, by the host of their address", async (t) => {
  const { run } = await open(t, (_, response) => response.end(JSON.stringify({ results: ROWS })), {
    service: "searxng",
  });
  const found = async (input: object): Promise<string> =>
    textOf(await run("web_search", { query: "x", ...input }));
  assert.doesNotMatch(await found({ allowed_domains: ["b.example"] }), /a\.example/);
  assert.doesNotMatch(await found({ blocked_domains: ["*.example"] }), /example/);
  assert.equal(await found({ allowed_domains: ["c.example"] }), "no results");
  assert.doesNotMatch(await found({ max_results: 1 }), /Two/);
});

for (const [what, limits] of [
  ["blocks", { blockedDomains: ["a.example"] }],
  ["does not allow", { allowedDomains: ["b.example"] }],
] as const)
  test(`a result of a host that the config ${what} is left out`, async (t) => {
    const answer = JSON.stringify({ results: ROWS });
    const { run } = await webEngine(
      t,
      (_, response) => response.end(answer),
      ({ origin }) => ({ web: { ...limits, search: { service: "searxng", url: `${origin}/s` } } }),
    );
    const text = textOf(await run("web_search", { query: "x" }));
    assert.match(text, /b\.example/);
    assert.doesNotMatch(text, /a\.example/);
  });

for (const [name, status, body, code] of [
  ["a refused key", 403, "", "UNAUTHORIZED"],
  ["too many requests", 429, "", "UNAVAILABLE"],
  ["another status", 404, "", "TOOL_FAILED"],
  ["no JSON", 200, "<html>", "TOOL_FAILED"],
  ["another form", 200, "{}", "TOOL_FAILED"],
] as const) {
  test(`${name} is ${code}`, async (t) => {
    const { run } = await open(t, (_, response) => response.writeHead(status).end(body), {
      service: "searxng",
    });
    const result = await run("web_search", { query: "x" });
    assert.equal(!result.ok && result.error.code, code);
  });
}

test("without a service the error says how to configure each", async (t) => {
  const { run } = await webEngine(t, () => undefined);
  const result = await run("web_search", { query: "x" });
  assert.ok(!result.ok);
  assert.equal(result.error.code, "MISSING_CREDENTIALS");
  assert.match(result.error.hint ?? "", /searxng.*free.*brave.*tavily/s);
});

test("a service without its key says so", async (t) => {
  const { run } = await webEngine(t, () => undefined, { web: { search: { service: "brave" } } });
  const result = await run("web_search", { query: "x" });
  assert.match(!result.ok ? result.error.message : "", /brave has no key/);
});
