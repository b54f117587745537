import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { authorizationFetch } from "./authorization-fetch.ts";

async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const http = createServer(answer);
  t.after(() => void http.close());
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test("the headers of a server are sent only to its origin, also after a redirect", async (t) => {
  const requests: (readonly [string, string | undefined])[] = [];
  const note = ({ url = "", headers }: IncomingMessage): void =>
    void requests.push([url, headers["x-api-key"]?.toString()]);
  const other = await listen(t, (request, response) => {
    note(request);
    response.end("there");
  });
  const own = await listen(t, (request, response) => {
    note(request);
    const to = request.url === "/first" ? "/second" : `${other}/third`;
    response.writeHead(302, { location: to }).end();
  });
  const headers = { "X-Api-Key": "k-987654" };
  const fetch = authorizationFetch({ kind: "http", url: `${own}/mcp`, headers, transport: "auto" });
  const response = await fetch(`${own}/first`);
  assert.equal(await response.text(), "there");
  assert.deepEqual(requests, [
    ["/first", "k-987654"],
    ["/second", "k-987654"],
    ["/third", undefined],
  ]);
});

test("an endless redirect is an error, and a POST is never redirected", async (t) => {
  let asked = 0;
  const own = await listen(t, (_request, response) => {
    asked += 1;
    response.writeHead(307, { location: `/${asked}` }).end();
  });
  const fetch = authorizationFetch({ kind: "http", url: `${own}/mcp`, headers: {}, transport: "auto" });
  await assert.rejects(fetch(`${own}/0`), /redirected more than/);
  assert.ok(asked < 20, `${asked} requests`);
  asked = 0;
  await assert.rejects(fetch(`${own}/token`, { method: "POST", body: "x" }));
  assert.equal(asked, 1);
});
