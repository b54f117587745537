import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { startWebServer } from "../../../test/support/servers/web-server.ts";
import { ToolError } from "../../core/errors.ts";
import { openForwardProxy, REFUSED_HEADER, type ForwardProxyOptions, type Refused } from "./forward-proxy.ts";
import { createGuard } from "./guard.ts";

async function open(t: TestContext, more: Partial<ForwardProxyOptions> = {}) {
  const seen: IncomingMessage[] = [];
  const { origin } = await startWebServer(t, (received, response) => {
    seen.push(received);
    void readText(received).then((body) => response.end(`page ${body}`));
  });
  const { port } = new URL(origin);
  const refused: Refused[] = [];
  const resolve = async (host: string) => {
    if (host === "unknown.test") throw new Error("no such host");
    return ["127.0.0.1"];
  };
  const guard = createGuard({ privateHosts: [`open.test:${port}`], ports: [1, Number(port)], resolve });
  const proxy = await openForwardProxy({ guard, onRefused: (one) => refused.push(one), ...more });
  t.after(() => proxy.close());
  return { port, proxy, refused, seen };
}

async function send(options: RequestOptions, body = ""): Promise<readonly [number, string]> {
  const sent = request({ agent: false, ...options }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return [response.statusCode ?? 0, await readText(response)];
}

/** Sends a CONNECT, and then a request through the tunnel if it was opened. */
async function tunnel(proxy: { readonly url: string }, authority: string): Promise<string> {
  const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`);
  const [head] = (await Promise.race([once(socket, "data"), once(socket, "close")])) as [Buffer];
  if (!String(head).startsWith("HTTP/1.1 200")) {
    socket.destroy();
    return String(head).split("\r\n")[0] ?? "";
  }
  socket.write("GET /inside HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  return (await readText(socket)).split("\r\n").at(-1) ?? "";
}

const through = (proxy: { readonly url: string }, path: string): RequestOptions => ({
  host: "127.0.0.1",
  port: new URL(proxy.url).port,
  path,
  method: "POST",
  headers: { "proxy-authorization": "Basic x", "proxy-connection": "close", "x-own": "1" },
});

test("a request and a tunnel to an allowed host reach it, without what was meant for the proxy", async (t) => {
  const { port, proxy, seen } = await open(t);
  assert.deepEqual(await send(through(proxy, `http://open.test:${port}/a?b`), "sent"), [200, "page sent"]);
  const { url, headers } = seen[0] ?? {};
  assert.deepEqual([url, headers?.["x-own"], headers?.["proxy-authorization"]], ["/a?b", "1", undefined]);
  assert.match(await tunnel(proxy, `open.test:${port}`), /page/);
});

test("what the guard or a rule refuses is answered with 403 and reported, and nothing is connected", async (t) => {
  const checkHost = (host: string): void => {
    if (host === "ruled.test") throw new ToolError("DENIED", "a rule says no");
  };
  const { port, proxy, refused, seen } = await open(t, { checkHost });
  for (const host of ["private.test", "ruled.test"]) {
    const [status, text] = await send(through(proxy, `http://${host}:${port}/`));
    assert.deepEqual([status, /loopback address|a rule says no/.test(text)], [403, true]);
    assert.equal(await tunnel(proxy, `${host}:${port}`), "HTTP/1.1 403 Forbidden");
  }
  assert.deepEqual(
    refused.map(({ host }) => host),
    ["private.test", "private.test", "ruled.test", "ruled.test"],
  );
  assert.equal(seen.length, 0);
});

test("a reason with half of a character is sent as well as it can be", async (t) => {
  const checkHost = (): void => {
    throw new ToolError("DENIED", "no \ud800");
  };
  const { port, proxy } = await open(t, { checkHost });
  assert.equal(await tunnel(proxy, `open.test:${port}`), "HTTP/1.1 403 Forbidden");
});

test("what cannot be reached is answered with 502 and reported with its host, and a request that is none for a proxy with 403", async (t) => {
  const guarded = await open(t);
  const guardless = await open(t, { guard: createGuard({ privateHosts: ["127.0.0.1"] }) });
  for (const [host, { proxy, refused }, message] of [
    ["unknown.test", guarded, /^cannot fetch from unknown\.test:1: no such host$/],
    ["127.0.0.1", guardless, /^cannot fetch from 127\.0\.0\.1:1: .*ECONNREFUSED/],
  ] as const) {
    assert.equal((await send(through(proxy, `http://${host}:1/`)))[0], 502);
    assert.equal(await tunnel(proxy, `${host}:1`), "HTTP/1.1 502 Bad Gateway");
    assert.equal(refused.length, 2);
    for (const one of refused) {
      assert.deepEqual([one.host, one.port], [host, 1]);
      assert.match(one.error.message, message);
    }
  }
  assert.equal((await send(through(guarded.proxy, "/not-a-proxy-request")))[0], 403);
  assert.equal(guarded.refused.length, 2);
});

test("a host with several addresses, none of which can be reached, is reported with the reason", async (t) => {
  const resolve = () => Promise.resolve(["127.0.0.1", "127.0.0.2"]);
  const guard = createGuard({ privateHosts: ["two.test"], ports: [1], resolve });
  const { proxy, refused } = await open(t, { guard });
  const [status, text] = await send(through(proxy, "http://two.test:1/"));
  assert.deepEqual([status, /^connect ECONNREFUSED 127\.0\.0\.\d:1$/.test(text)], [502, true], text);
  assert.equal(await tunnel(proxy, "two.test:1"), "HTTP/1.1 502 Bad Gateway");
  assert.equal(refused.length, 2);
  for (const { error } of refused)
    assert.match(error.message, /^cannot fetch from two\.test:1: connect ECONNREFUSED 127\.0\.0\.\d:1 \(/);
});

test("a host that does not exist is named without its port, and another proxy that does not exist in its place", async (t) => {
  const resolve = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
  const guard = createGuard({ resolve });
  // Too long for a name: no server is asked.
  const missing = `${"p".repeat(64)}.test`;
  const direct = await open(t, { guard });
  const proxied = await open(t, { guard, upstream: () => `http://ada:secret@${missing}:3128` });
  for (const [{ proxy, refused }, message] of [
    [direct, "there is no host nowhere.test"],
    [proxied, `there is no host ${missing}, the proxy for nowhere.test`],
  ] as const) {
    assert.equal((await send(through(proxy, "http://nowhere.test/")))[0], 502);
    assert.equal(await tunnel(proxy, "nowhere.test:443"), "HTTP/1.1 502 Bad Gateway");
    assert.deepEqual(
      refused.map(({ error }) => error.message),
      [message, message],
    );
  }
});

test("another proxy gets requests and tunnels with its login, after the guard has checked the host", async (t) => {
  const heads: string[] = [];
  const upstream = createServer((socket) => {
    socket.once("data", (data) => {
      heads.push(String(data));
      socket.end("HTTP/1.1 407 Login\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  t.after(() => upstream.close());
  const { port: upstreamPort } = upstream.address() as { readonly port: number };
  const { port, proxy } = await open(t, { upstream: () => `http://a%20b:c@127.0.0.1:${upstreamPort}` });
  assert.equal((await send(through(proxy, `http://open.test:${port}/a`)))[0], 407);
  assert.equal(await tunnel(proxy, `open.test:${port}`), "HTTP/1.1 407 Login");
  const login = `proxy-authorization: Basic ${Buffer.from("a b:c").toString("base64")}`;
  assert.match(heads[0] ?? "", new RegExp(`^POST http://open\\.test:${port}/a HTTP/1\\.1\r\n[^]*${login}`));
  assert.match(heads[1] ?? "", new RegExp(`^CONNECT open\\.test:${port} HTTP/1\\.1\r\n[^]*${login}`));
  assert.equal((await send(through(proxy, `http://private.test:${port}/`)))[0], 403);
  assert.equal(heads.length, 2);
});

test("it listens on a socket if one is given, and close ends its connections", async (t) => {
  const socketPath = join(temporaryFolder(t), "proxy");
  const { port, proxy } = await open(t, { socketPath });
  const path = `http://open.test:${port}/`;
  assert.deepEqual(await send({ socketPath, path }), [200, "page "]);
  const idle = connect(socketPath);
  await once(idle, "connect");
  await Promise.all([once(idle, "close"), proxy.close()]);
  await assert.rejects(send({ socketPath, path }), { code: "ENOENT" });
});

test("with a password it serves only clients that send it, and the answer to a refused tunnel has the reason", async (t) => {
  const { port, proxy } = await open(t, { password: "secret" });
  const { username, password } = new URL(proxy.url);
  assert.deepEqual([username, password], ["proxy", "secret"]);
  assert.equal((await send(through(proxy, `http://open.test:${port}/`)))[0], 407);
  assert.equal(await tunnel(proxy, `open.test:${port}`), "HTTP/1.1 407 Proxy Authentication Required");
  const authorization = `Basic ${Buffer.from("proxy:secret").toString("base64")}`;
  const known = {
    ...through(proxy, `http://open.test:${port}/`),
    headers: { "proxy-authorization": authorization },
  };
  assert.deepEqual(await send(known), [200, "page "]);
  const asked = request({ ...known, method: "CONNECT", path: `private.test:${port}`, agent: false }).end();
  const [answer] = (await once(asked, "connect")) as [IncomingMessage];
  asked.destroy();
  assert.equal(answer.statusCode, 403);
  assert.match(
    decodeURIComponent(String(answer.headers[REFUSED_HEADER])),
    /private\.test.*loopback address; /,
  );
});
