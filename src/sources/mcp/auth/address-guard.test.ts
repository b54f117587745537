import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createAddressGuard } from "./address-guard.ts";
import { authorizationFetch } from "./authorization-fetch.ts";

const PUBLIC = "https://93.184.216.34/mcp";
const LOCAL = "http://127.0.0.1:9/mcp";
const PRIVATE = "https://10.1.2.3/mcp";

for (const [server, url, isAllowed] of [
  [PUBLIC, "https://93.184.216.34/token", true],
  [PUBLIC, "http://93.184.216.34/token", false],
  [PUBLIC, "https://10.0.0.1/token", false],
  [PUBLIC, "http://127.0.0.1:8080/token", false],
  [PUBLIC, "https://localhost/token", false],
  [PUBLIC, "https://[::1]/token", false],
  [PUBLIC, "http://2130706433/token", false],
  [PUBLIC, "https://169.254.169.254/latest/meta-data", false],
  [PRIVATE, "https://192.168.7.7/token", true],
  [PRIVATE, "https://93.184.216.34/token", true],
  [PRIVATE, "http://localhost/token", false],
  [PRIVATE, "https://169.254.169.254/token", false],
  [LOCAL, "http://localhost:7/token", true],
  [LOCAL, "https://93.184.216.34/token", true],
  [LOCAL, "http://169.254.169.254/token", false],
  [LOCAL, "http://10.0.0.1/token", false],
  ["http://169.254.1.1/mcp", "http://169.254.1.1/token", true],
  ["http://169.254.1.1/mcp", "https://169.254.1.2/token", false],
] as const) {
  test(`the login of ${server} ${isAllowed ? "may" : "may not"} connect to ${url}`, async () => {
    const addresses = createAddressGuard(new URL(server)).addressesOf(new URL(url));
    if (isAllowed) assert.notEqual((await addresses).length, 0);
    else await assert.rejects(addresses, { code: "DENIED" });
  });
}

test("metadata at a local port is not fetched for a public server, nor through a redirect, and nothing connects", async (t) => {
  let connections = 0;
  const http = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
  http.on("connection", () => (connections += 1));
  t.after(() => void http.close());
  await new Promise((resolve) => http.once("listening", resolve));
  const { port } = http.address() as AddressInfo;
  const of = (url: string) => authorizationFetch({ kind: "http", url, headers: {}, transport: "auto" });
  for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])
    await assert.rejects(of(PUBLIC)(`http://${host}:${port}/meta`), { code: "DENIED" }, host);
  assert.equal(connections, 0);
  const redirecting = createServer((_request, response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
  ).listen(0, "127.0.0.1");
  t.after(() => void redirecting.close());
  await new Promise((resolve) => redirecting.once("listening", resolve));
  const own = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
  await assert.rejects(of(`${own}/mcp`)(`${own}/meta`), { code: "DENIED" });
});
