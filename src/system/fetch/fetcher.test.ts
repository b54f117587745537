import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { startDnsServer } from "../../../test/support/servers/dns-server.ts";
import { readJsonLines, sharedData, withoutSharedData } from "../../../test/support/files/shared-data.ts";
import {
  startSecureServer,
  startTunnelProxy,
  trustSecureServer,
} from "../../../test/support/servers/secure-server.ts";
import { startWebServer } from "../../../test/support/servers/web-server.ts";
import { resolveHost } from "./addresses.ts";
import { createFetcher, type Fetcher, type FetcherOptions } from "./fetcher.ts";

const MB = 1024 * 1024;
const PUBLIC = "93.184.216.34";

function open(t: TestContext, options: FetcherOptions): Fetcher {
  const fetcher = createFetcher(options);
  t.after(() => fetcher.close());
  return fetcher;
}

function get(fetcher: Fetcher, url: string, { signal = AbortSignal.timeout(30_000) } = {}) {
  return fetcher.fetch(new URL(url), { signal, maxBytes: 2 * MB });
}

test("a response is read whole, with its headers and its final URL", async (t) => {
  const { origin, port } = await startWebServer(t, ({ url }, response) => {
    if (url === "/old") response.writeHead(301, { location: "/new?a=1" }).end();
    else response.writeHead(200, { "content-type": "text/plain", etag: '"1"' }).end("text");
  });
  const fetcher = open(t, { privateHosts: [`127.0.0.1:${port}`] });
  const { url, status, headers, body } = await get(fetcher, `${origin}/old`);
  assert.deepEqual(
    [url.href, status, headers["etag"], body.toString()],
    [`${origin}/new?a=1`, 200, '"1"', "text"],
  );
});

for (const [encoding, compress] of [
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ["gzip, br", (bytes: Buffer) => brotliCompressSync(gzipSync(bytes))],
  ["identity", (bytes: Buffer) => bytes],
] as const) {
  test(`${encoding}: a body is decompressed, and one that grows beyond the limit is an error`, async (t) => {
    const bomb = compress(Buffer.alloc(8 * MB));
    const { origin, port } = await startWebServer(t, ({ url }, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.on("error", () => undefined).end(url === "/bomb" ? bomb : compress(Buffer.from("unpacked")));
    });
    const fetcher = open(t, { privateHosts: [`127.0.0.1:${port}`] });
    assert.equal((await get(fetcher, origin)).body.toString(), "unpacked");
    await assert.rejects(get(fetcher, `${origin}/bomb`), {
      code: "TOOL_FAILED",
      message: "the body is longer than 2 MB",
    });
  });
}

test("a damaged or unknown encoding is an error", async (t) => {
  const { origin, port } = await startWebServer(t, ({ url = "" }, response) => {
    response.writeHead(200, { "content-encoding": url.slice(1) }).end("not compressed");
  });
  const fetcher = open(t, { privateHosts: [`127.0.0.1:${port}`] });
  for (const encoding of ["gzip", "br", "zstd", "deflate"])
    await assert.rejects(get(fetcher, `${origin}/${encoding}`), { code: "TOOL_FAILED" });
  await assert.rejects(get(fetcher, `${origin}/compress`), /encoded as compress, which is not supported/);
  await assert.rejects(get(fetcher, `${origin}/gzip,gzip,gzip`), /encoded 3 times/);
});

test("an endless body ends at the limit, a stalled one with the signal, a broken one with its reason", async (t) => {
  const { origin, port } = await startWebServer(t, ({ url }, response) => {
    if (url === "/short")
      response.writeHead(200, { "content-length": "100" }).write("few", () => response.destroy());
    if (url === "/slow") response.writeHead(200).write("first");
    if (url !== "/endless") return;
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65536)));
    };
    response.on("drain", write);
    write();
  });
  const fetcher = open(t, { privateHosts: [`127.0.0.1:${port}`] });
  await assert.rejects(get(fetcher, `${origin}/endless`), /longer than 2 MB/);
  await assert.rejects(get(fetcher, `${origin}/short`), { code: "UNAVAILABLE" });
  const aborting = new AbortController();
  const slow = get(fetcher, `${origin}/slow`, aborting);
  setImmediate(() => aborting.abort(new Error("out of time")));
  await assert.rejects(slow, /out of time/);
});

test("redirects: loops end, other hosts are reported and not followed, private ones are refused", async (t) => {
  const { origin, port, requests } = await startWebServer(t, ({ url }, response) => {
    const targets: Readonly<Record<string, string>> = {
      "/loop": "/loop",
      "/elsewhere": "https://example.com/x",
      "/file": "file:///etc/passwd",
      "/password": "http://a:b@127.0.0.1/",
      "/port": "http://127.0.0.1:22/",
    };
    response.writeHead(302, { location: targets[url ?? ""] }).end("moved");
  });
  const fetcher = open(t, { privateHosts: [`127.0.0.1:${port}`] });
  await assert.rejects(get(fetcher, `${origin}/loop`), /redirects more than 10 times/);
  assert.equal(requests.length, 11);
  const { elsewhere, body } = await get(fetcher, `${origin}/elsewhere`);
  assert.deepEqual([elsewhere?.href, body.toString()], ["https://example.com/x", "moved"]);
  await assert.rejects(get(fetcher, `${origin}/file`), /only http and https/);
  await assert.rejects(get(fetcher, `${origin}/password`), { code: "DENIED" });
  await assert.rejects(get(fetcher, `${origin}/port`), /port 22 of 127\.0\.0\.1/);
});

test("a name is connected to only at addresses that were checked, whatever it resolves to next", async (t) => {
  const server = await startWebServer(t, (_, response) => response.end("reached"));
  const answers: Readonly<Record<string, readonly (readonly string[])[]>> = {
    "private.test": [["127.0.0.1"]],
    "mixed.test": [[PUBLIC, "127.0.0.1"]],
    "mixed6.test": [[PUBLIC, "::1"]],
    "translated.test": [["64:ff9b::7f00:1"]],
    "rebinding.test": [["127.0.0.1"], [PUBLIC]],
  };
  const asked = new Map<string, number>();
  const resolve = await startDnsServer(t, (name) => {
    if (name.startsWith("alias")) return { cname: name.replace("alias.", "") };
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    return answers[name]?.[Math.min(times, (answers[name]?.length ?? 1) - 1)] ?? [];
  });
  const fetcher = open(t, { resolve, ports: [server.port] });
  for (const name of [
    "private",
    "mixed",
    "mixed6",
    "translated",
    "alias.private",
    "alias.alias.mixed",
    "rebinding",
  ])
    await assert.rejects(get(fetcher, `http://${name}.test:${server.port}/`), { code: "DENIED" }, name);
  assert.equal(server.connections(), 0);
});

test("a name that changes its address between the check and the connection does not move it", async (t) => {
  const server = await startWebServer(t, (_, response) => response.end("reached"));
  let times = 0;
  const resolve = (): Promise<readonly string[]> => {
    times += 1;
    return Promise.resolve([times === 1 ? "127.0.0.1" : "127.0.0.2"]);
  };
  const fetcher = open(t, { resolve, privateHosts: [`127.0.0.1:${server.port}`], ports: [server.port] });
  const { body } = await get(fetcher, `http://name.test:${server.port}/`);
  assert.deepEqual([body.toString(), times], ["reached", 1]);
});

const PRIVATE = [
  "http://127.0.0.1",
  "http://0.0.0.0",
  "http://localhost",
  "http://localhost.",
  "http://[::1]",
  "http://[::ffff:127.0.0.1]",
  "http://2130706433",
  "http://0x7f.1",
  "http://127.1",
  "http://169.254.169.254/latest/meta-data",
  "http://10.1.1.1",
  "http://172.16.0.1",
  "http://192.168.0.1",
  "http://100.64.0.1",
  "http://[fe80::1]",
  "http://[fc00::1]",
  "http://[64:ff9b::169.254.169.254]",
];

for (const url of PRIVATE) {
  test(`${url} is refused without a connection`, async (t) => {
    const server = await startWebServer(t, (_, response) => response.end("reached"));
    const fetcher = open(t, { ports: [server.port] });
    const target = new URL(url);
    await assert.rejects(get(fetcher, target.href), { code: "DENIED" });
    target.port = String(server.port);
    await assert.rejects(get(fetcher, target.href), { code: "DENIED" });
    assert.equal(server.connections(), 0);
  });
}

test("a redirect to a private address is not followed, wherever it comes from", async (t) => {
  const target = await startWebServer(t, (_, response) => response.end("reached"));
  const { port } = await startWebServer(t, ({ url = "" }, response) => {
    const location = new URL(PRIVATE[Number(url.slice(1))] ?? "");
    location.port = String(target.port);
    response.writeHead(302, { location: location.href }).end();
  });
  // The first page is at a name whose address only this test allows.
  const resolve = (name: string): Promise<readonly string[]> =>
    name === "public.test" ? Promise.resolve(["127.0.0.1"]) : resolveHost(name);
  const fetcher = open(t, { resolve, privateHosts: [`public.test:${port}`], ports: [target.port] });
  for (const [index, url] of PRIVATE.entries()) {
    const { elsewhere } = await get(fetcher, `http://public.test:${port}/${index}`);
    assert.ok(elsewhere, url);
    await assert.rejects(get(fetcher, elsewhere.href), { code: "DENIED" }, url);
  }
  assert.equal(target.connections(), 0);
});

test("no URL of the collection reaches this machine", { skip: withoutSharedData }, async (t) => {
  const server = await startWebServer(t, (_, response) => response.end("reached"));
  const resolve = await startDnsServer(t, () => ["127.0.0.1"]);
  const fetcher = open(t, {
    resolve: (name) => (/^[\d.]+$|:/.test(name) ? Promise.resolve([name]) : resolve(name)),
    ports: [server.port],
  });
  const rows = readJsonLines(sharedData("ssrf-urls.jsonl")) as readonly {
    readonly url: string;
    readonly label: string;
  }[];
  for (const { url, label } of rows) {
    if (!URL.canParse(url)) {
      assert.equal(label, "REJECT", url);
      continue;
    }
    const target = new URL(url);
    await assert.rejects(get(fetcher, target.href), { name: "ToolError" }, url);
    target.port = String(server.port);
    await assert.rejects(get(fetcher, target.href), { name: "ToolError" }, url);
  }
  assert.equal(server.connections(), 0);
});

test("domains are compared with the parsed host", async (t) => {
  const server = await startWebServer(t, (_, response) => response.end("reached"));
  const { port } = server;
  const resolve = (): Promise<readonly string[]> => Promise.resolve(["127.0.0.1"]);
  const fetcher = open(t, {
    resolve,
    privateHosts: [`127.0.0.0/8:${port}`],
    ports: [port],
    allowedDomains: ["allowed.com", "*.allowed.com"],
    blockedDomains: ["bad.allowed.com"],
  });
  for (const host of ["allowed.com", "ALLOWED.com.", "docs.allowed.com"])
    assert.equal((await get(fetcher, `http://${host}:${port}/`)).status, 200, host);
  for (const host of ["allowed.com.evil.com", "notallowed.com", "bad.allowed.com", "BAD.allowed.com."])
    await assert.rejects(get(fetcher, `http://${host}:${port}/`), { code: "DENIED" }, host);
  await assert.rejects(get(fetcher, `http://allowed.com@evil.com:${port}/`), { code: "DENIED" });
});

test("a host that does not exist or does not answer is named", async (t) => {
  const resolve = (name: string): Promise<readonly string[]> =>
    name === "127.0.0.1"
      ? Promise.resolve([name])
      : Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
  const server = await startWebServer(t, () => undefined);
  const fetcher = open(t, { resolve, privateHosts: ["127.0.0.1"] });
  await assert.rejects(get(fetcher, "http://nowhere.test/"), {
    code: "TOOL_FAILED",
    message: "there is no host nowhere.test",
  });
  await assert.rejects(get(fetcher, "http://127.0.0.1:1/"), { code: "UNAVAILABLE", message: /ECONNREFUSED/ });
  assert.equal(server.connections(), 0);
});

test("a wrong exception is refused when the fetcher is created", () => {
  assert.throws(() => createFetcher({ privateHosts: ["10.0.0.0/99"] }), { code: "INVALID_INPUT" });
});

test("through a proxy, names are resolved there, and private addresses are refused here", async (t) => {
  const proxy = await startWebServer(t, (_, response) => response.end("through the proxy"));
  const resolve = (name: string): Promise<readonly string[]> =>
    name === "private.test" ? Promise.resolve(["10.0.0.1"]) : Promise.reject(new Error("not known here"));
  const fetcher = open(t, { proxy: proxy.origin, resolve });
  assert.equal((await get(fetcher, "http://only-there.test/")).body.toString(), "through the proxy");
  await assert.rejects(get(fetcher, "http://private.test/"), { code: "DENIED" });
  assert.deepEqual(
    proxy.requests.map(({ url }) => url),
    ["http://only-there.test/"],
  );
});

test("https goes through the tunnel of a proxy, and only to a certificate that is trusted", async (t) => {
  const port = await startSecureServer(t, ({ url, headers }, response) =>
    response.end(`${headers.host} ${url}`),
  );
  const proxy = await startTunnelProxy(t, port);
  const resolve = (): Promise<readonly string[]> => Promise.reject(new Error("not known here"));
  const untrusting = open(t, { proxy: proxy.origin, resolve });
  await assert.rejects(get(untrusting, "https://secure.test/a"), {
    code: "TOOL_FAILED",
    message: /cannot fetch from secure\.test through the proxy 127\.0\.0\.1:\d+: .*certificate/,
  });
  trustSecureServer(t);
  const fetcher = open(t, { proxy: proxy.origin, resolve });
  assert.equal((await get(fetcher, "https://secure.test/a?b")).body.toString(), "secure.test /a?b");
  assert.deepEqual([...new Set(proxy.tunnels)], ["secure.test:443"]);
});
