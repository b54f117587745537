import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createFetcher, type Fetched, type FetcherOptions } from "./fetcher.ts";

function get(t: TestContext, url: string, options: FetcherOptions): Promise<Fetched> {
  const fetcher = createFetcher(options);
  t.after(() => fetcher.close());
  return fetcher.fetch(new URL(url), { signal: AbortSignal.timeout(30_000), maxBytes: 1000 });
}

test("a host with several addresses that do not answer fails with the reason", async (t) => {
  const resolve = () => Promise.resolve(["127.0.0.1", "127.0.0.2"]);
  await assert.rejects(get(t, "http://two.test:1/", { resolve, privateHosts: ["two.test"], ports: [1] }), {
    code: "UNAVAILABLE",
    message: /^cannot fetch from two\.test:1: connect ECONNREFUSED 127\.0\.0\.\d:1 \(ECONNREFUSED\)$/,
  });
});

test("a proxy that does not exist is named, without its login, and not the host that exists", async (t) => {
  // Too long for a name: no server is asked.
  const host = `${"p".repeat(64)}.test`;
  const options = { proxy: `http://ada:secret@${host}:3128`, resolve: () => Promise.resolve(["8.8.8.8"]) };
  for (const url of ["http://example.com/", "https://example.com/"])
    await assert.rejects(get(t, url, options), {
      code: "TOOL_FAILED",
      message: `there is no host ${host}, the proxy for example.com`,
    });
});

test("a proxy that refuses connections is named, without its login", async (t) => {
  const options = { proxy: "http://ada:secret@127.0.0.1:1", resolve: () => Promise.resolve(["8.8.8.8"]) };
  for (const url of ["http://example.com/", "https://example.com/"])
    await assert.rejects(get(t, url, options), {
      code: "UNAVAILABLE",
      message:
        "cannot fetch from example.com through the proxy 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1 (ECONNREFUSED)",
    });
});

test("settings that cannot be used are refused by name when the fetcher is created", () => {
  for (const proxy of ["127.0.0.1:8080", "localhost:8080", "proxy"])
    assert.throws(() => createFetcher({ proxy }), {
      code: "INVALID_INPUT",
      message: /^proxy: expected an http/,
    });
  assert.throws(() => createFetcher({ privateHosts: ["10.0.0.0/99"] }), {
    code: "INVALID_INPUT",
    message: "privateHosts: 10.0.0.0/99 is neither a host nor an address",
  });
});
