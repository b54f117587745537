import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import { startWebServer } from "../../test/support/servers/web-server.ts";
import { findModels, listModels, suggestedModels, type FindOptions, type FoundModel } from "./find-models.ts";

const PROVIDERS = ["anthropic", "openai", "google", "ollama", "vllm", "lmstudio", "llamacpp"];
const KEYS = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "o-key", GEMINI_API_KEY: "g-key" };

/** Finds models at servers that answer on loopback below the name of their provider. */
async function find(t: TestContext, listener: RequestListener, options: Partial<FindOptions> = {}) {
  const { origin, requests } = await startWebServer(t, listener);
  const servers = Object.fromEntries(PROVIDERS.map((name) => [name, { baseUrl: `${origin}/${name}` }]));
  const found = await findModels({ environment: {}, servers, timeoutMs: 60_000, ...options });
  return { found, requests, origin };
}

const answers =
  (byPath: Readonly<Record<string, unknown>>): RequestListener =>
  (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    if (!Object.hasOwn(byPath, path)) response.statusCode = 404;
    response.end(JSON.stringify(byPath[path] ?? {}));
  };

const idsOf = (found: readonly FoundModel[]): readonly string[] => found.map(({ id }) => id);

test("the models of running servers are found with their address", async (t) => {
  const listener = answers({
    "/ollama/tags": { models: [{ name: "qwen3:8b" }, { name: "nomic-embed-text:latest" }] },
    "/lmstudio/models": { data: [{ id: "openai/gpt-oss-20b" }] },
    "/llamacpp/models": { data: [{ id: "gemma.gguf" }] },
  });
  const { found, origin, requests } = await find(t, listener);
  assert.deepEqual(found, [
    { id: "ollama/qwen3:8b", provider: "ollama", where: origin },
    { id: "lmstudio/openai/gpt-oss-20b", provider: "lmstudio", where: origin },
    { id: "llamacpp/gemma.gguf", provider: "llamacpp", where: origin },
  ]);
  assert.ok(requests.every(({ headers }) => headers.authorization === undefined));
});

test("a key in the environment finds the models of its service, the suggested one first; each key goes to its own service", async (t) => {
  const listener = answers({
    "/anthropic/models": { data: [{ id: "claude-opus-4-1" }, { id: "claude-sonnet-4-5" }] },
    "/openai/models": { data: [{ id: "whisper-1" }, { id: "gpt-6" }] },
    "/google/models": { models: [{ name: "models/gemini-2.5-pro" }, { name: "models/embedding-001" }] },
  });
  const { found, requests } = await find(t, listener, { environment: KEYS });
  assert.deepEqual(
    found.map(({ id, where }) => [id, where]),
    [
      ["anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"],
      ["anthropic/claude-opus-4-1", "ANTHROPIC_API_KEY"],
      ["openai/gpt-6", "OPENAI_API_KEY"],
      ["google/gemini-2.5-pro", "GEMINI_API_KEY"],
    ],
  );
  const keysAt = (name: string): readonly unknown[] =>
    requests
      .filter(({ url = "" }) => url.startsWith(`/${name}/`))
      .flatMap(({ headers }) => [headers["x-api-key"], headers["x-goog-api-key"], headers.authorization]);
  assert.deepEqual(keysAt("anthropic"), ["a-key", undefined, undefined]);
  assert.deepEqual(keysAt("google"), [undefined, "g-key", undefined]);
  assert.deepEqual(keysAt("openai"), [undefined, undefined, "Bearer o-key"]);
  assert.deepEqual(keysAt("ollama"), [undefined, undefined, undefined]);
});

test("a service that does not list its models has the suggested one, a server none", async (t) => {
  const { found } = await find(t, answers({}), { environment: { ANTHROPIC_API_KEY: "k" } });
  assert.deepEqual(idsOf(found), ["anthropic/claude-sonnet-4-5"]);
});

test("isLocal sends no request to a service with a key", async (t) => {
  const { found, requests } = await find(t, answers({}), { environment: KEYS, isLocal: true });
  assert.deepEqual(found, []);
  const suggested = ["anthropic/claude-sonnet-4-5", "openai/gpt-5", "google/gemini-2.5-pro"];
  assert.deepEqual(idsOf(suggestedModels(KEYS)), suggested);
  assert.ok(requests.every(({ url = "" }) => !/anthropic|openai|google/.test(url)));
});

for (const [what, body] of [
  ["no JSON", "<html>"],
  ["another shape", '{"data": "x"}'],
  ["names with control characters", '{"data": [{"id": "a\\u001b[2J"}, {"id": "a b"}, 7, null]}'],
] as const)
  test(`a server that answers with ${what} has no models`, async (t) => {
    const { found } = await find(t, (_, response) => response.end(body));
    assert.deepEqual(found, []);
  });

test("a redirect is not followed, so that a key stays with its service", async (t) => {
  const other = await startWebServer(t, (_, response) => response.end('{"data": [{"id": "x"}]}'));
  const { found } = await find(
    t,
    (_, response) => response.writeHead(302, { location: other.origin }).end(),
    {
      environment: KEYS,
    },
  );
  assert.equal(other.requests.length, 0);
  assert.equal(found.length, 3);
});

test("a server that never answers is given up", async (t) => {
  const { found } = await find(t, () => undefined, { timeoutMs: 20 });
  assert.deepEqual(found, []);
});

test("the server of one model is asked for its others, with the key of its setting", async (t) => {
  const { origin, requests } = await startWebServer(
    t,
    answers({ "/v1/models": { data: [{ id: "a" }, { id: "b" }] } }),
  );
  const servers = { "compatible/a": { baseUrl: `${origin}/v1`, apiKey: "c-key" } };
  const found = await findModels({ environment: {}, servers, isLocal: true, timeoutMs: 60_000 });
  assert.deepEqual(idsOf(found.filter(({ provider }) => provider === "compatible")), [
    "compatible/a",
    "compatible/b",
  ]);
  assert.deepEqual(
    requests.map(({ url, headers }) => [url, headers.authorization]),
    [["/v1/models", "Bearer c-key"]],
  );
});

test("a server is asked once, however many of its models have settings", async (t) => {
  const { origin, requests } = await startWebServer(t, answers({ "/v1/models": { data: [{ id: "a" }] } }));
  const baseUrl = `${origin}/v1`;
  const servers = {
    compatible: { baseUrl },
    "compatible/a": { baseUrl },
    "compatible/b": { baseUrl: `${baseUrl}/` },
    "compatible/c": {},
  };
  const found = await findModels({ environment: {}, servers, timeoutMs: 60_000 });
  assert.ok(idsOf(found).includes("compatible/a"));
  assert.equal(requests.length, 1);
});

test("a server gets the key of the variable that its settings name, and no other", async (t) => {
  const { origin, requests } = await startWebServer(t, answers({}));
  const servers = { openai: { baseUrl: `${origin}/v1`, keyVariable: "COMPANY_KEY" } };
  const environment = { OPENAI_API_KEY: "own-key" };
  assert.deepEqual(idsOf(await findModels({ environment, servers, timeoutMs: 60_000 })), []);
  assert.deepEqual(suggestedModels(environment, servers), []);
  assert.equal(requests.length, 0, "the key is not set, and the other one is not sent in its place");
  const both = { ...environment, COMPANY_KEY: "company-key" };
  const found = await findModels({ environment: both, servers, timeoutMs: 60_000 });
  assert.deepEqual(found, [{ id: "openai/gpt-5", provider: "openai", where: "COMPANY_KEY" }]);
  assert.deepEqual(suggestedModels(both, servers), found);
  assert.deepEqual(
    requests.map(({ headers }) => headers.authorization),
    ["Bearer company-key"],
  );
});

test("a list that stops after its beginning took too long or was cancelled, and is not called a wrong answer", async (t) => {
  const { origin } = await startWebServer(t, (_, response) => void response.write('{"data": ['));
  const server = { baseUrl: `${origin}/v1`, apiKey: "o-key" };
  const late = listModels("openai", server, { environment: {}, timeoutMs: 200 });
  await assert.rejects(late, { code: "UNAVAILABLE", message: /did not answer within 0\.2 s/ });
  const controller = new AbortController();
  const stalled = listModels("openai", server, {
    environment: {},
    signal: controller.signal,
    fetch: async (...request) => {
      const response = await fetch(...request);
      setImmediate(() => controller.abort());
      return response;
    },
  });
  await assert.rejects(stalled, { code: "CANCELLED" });
});

test("a list that the person cancels, or that takes too long, is not called unreachable", async (t) => {
  const { origin } = await startWebServer(t, () => undefined);
  const server = { baseUrl: `${origin}/v1`, apiKey: "o-key" };
  const signal = AbortSignal.abort(new Error("cancelled"));
  const cancelled = listModels("openai", server, { environment: {}, signal });
  await assert.rejects(cancelled, { code: "CANCELLED" });
  const late = listModels("openai", server, { environment: {}, timeoutMs: 20 });
  await assert.rejects(late, { code: "UNAVAILABLE", message: /did not answer within 0\.02 s/ });
});

for (const [what, listener, code, message] of [
  [
    "refuses the key",
    (_, response) => response.writeHead(401).end(),
    "UNAUTHORIZED",
    /openai refuses the key \(401\)/,
  ],
  [
    "answers with another status",
    (_, response) => response.writeHead(500).end(),
    "MODEL_FAILED",
    /status 500/,
  ],
  ["answers with no JSON", (_, response) => response.end("{"), "MODEL_FAILED", /something else than JSON/],
  [
    "answers with a web page",
    (_, response) => response.setHeader("content-type", "text/html").end("<html>"),
    "MODEL_FAILED",
    /answered with a web page/,
  ],
  ["breaks off", (request) => request.socket.destroy(), "UNAVAILABLE", /cannot be reached/],
] satisfies readonly (readonly [string, RequestListener, string, RegExp])[])
  test(`a service that ${what} has no list, and the error says so`, async (t) => {
    const { origin } = await startWebServer(t, listener);
    const listing = listModels("openai", { baseUrl: `${origin}/v1`, apiKey: "o-key" }, { environment: {} });
    await assert.rejects(listing, (error: Error & { readonly code?: unknown }) => {
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /o-key/);
      return true;
    });
  });

test("a service that takes the key lists its models", async (t) => {
  const { origin } = await startWebServer(t, answers({ "/v1/models": { data: [{ id: "gpt-5" }] } }));
  const server = { baseUrl: `${origin}/v1`, apiKey: "o-key" };
  assert.deepEqual(await listModels("openai", server, { environment: {} }), ["gpt-5"]);
});
