import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openSandboxPlace, whyNot } from "../support/examples/sandbox-example.ts";
import { codeOf, textOf } from "../support/engines/engine.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const skip = await whyNot("bubblewrap");

/** Starts a registry of npm on loopback with one package. */
async function startRegistry(t: TestContext) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: "small", version: "1.2.3" }));
  spawnSync("tar", ["-czf", join(folder, "small.tgz"), "-C", folder, "package"]);
  const packed = readFileSync(join(folder, "small.tgz"));
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    if (url.endsWith(".tgz")) {
      response.end(packed);
      return;
    }
    const tarball = `http://localhost:${port}/small/-/small-1.2.3.tgz`;
    const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
    const version = { name: "small", version: "1.2.3", dist: { tarball, integrity } };
    const found = { name: "small", "dist-tags": { latest: "1.2.3" }, versions: { "1.2.3": version } };
    response.setHeader("content-type", "application/json").end(JSON.stringify(found));
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { port, requests };
}

/** Fetches through the proxy, and prints the status and what the proxy says. */
const fetching = (url: string): string => `curl -sS -m 20 --noproxy '' -w ' %{http_code}' '${url}'`;

test(
  "npm install works in a sandbox with the host of its registry, and no other host is reached",
  { skip },
  async (t) => {
    const registry = await startRegistry(t);
    const { port } = registry;
    const privateHosts = [`localhost:${port}`, `127.0.0.0/8:${port}`, `[::1]:${port}`];
    const place = await openSandboxPlace(
      t,
      "bubblewrap",
      { domains: ["localhost"] },
      { web: { privateHosts, ports: [port] } },
    );
    const installed = await place.shell(
      `npm install small --no-audit --no-fund --registry http://localhost:${registry.port}/`,
      { timeout_seconds: 120 },
    );
    assert.equal(codeOf(installed), "ok", textOf(installed));
    assert.ok(existsSync(join(place.workspace, "node_modules/small/package.json")));
    assert.ok(registry.requests.some((url) => url.endsWith(".tgz")));
    const before = registry.requests.length;
    for (const host of [
      "127.0.0.1",
      "127.1",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "0",
      "[::]",
      "192.0.2.1",
    ])
      assert.match(
        textOf(await place.shell(fetching(`http://${host}:${port}/`))),
        /an address: name the host 403$/,
        host,
      );
    for (const host of ["example.com", "localhost.example.com", "xlocalhost"])
      assert.match(textOf(await place.shell(fetching(`http://${host}:8080/`))), /does not name 403/, host);
    assert.match(
      textOf(await place.shell(fetching(`http://localhost:${place.port}/`))),
      /403/,
      "another port",
    );
    // Past the proxy, there is no network and nobody who resolves names.
    for (const command of [
      `curl -sS -m 5 --noproxy '*' http://localhost:${port}/`,
      `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port}/`,
      `cat < /dev/tcp/127.0.0.1/${port}`,
      "getent hosts example.com",
      "python3 -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 5)'",
    ])
      assert.doesNotMatch(textOf(await place.shell(`${command} && echo REACHED`)), /REACHED/, command);
    assert.equal(registry.requests.length, before);
    assert.equal(place.accepted(), 0);
  },
);

test("a listed host is not reached if its address is private, or a rule denies it", { skip }, async (t) => {
  const registry = await startRegistry(t);
  const { port } = registry;
  const url = `http://localhost:${port}/small`;
  const unlisted = await openSandboxPlace(
    t,
    "bubblewrap",
    { domains: ["localhost"] },
    { web: { ports: [port] } },
  );
  assert.match(textOf(await unlisted.shell(fetching(url))), /a loopback address 403/);
  const denied = await openSandboxPlace(
    t,
    "bubblewrap",
    { domains: ["localhost"] },
    { web: { privateHosts: [`localhost:${port}`] }, isDenied: (host) => host === "localhost" },
  );
  assert.match(textOf(await denied.shell(fetching(url))), /a rule denies .*403/);
  assert.deepEqual(registry.requests, []);
});

test("programs in the sandbox reach servers in it directly", { skip }, async (t) => {
  const place = await openSandboxPlace(t, "bubblewrap", { domains: ["registry.test"] });
  const serve = "python3 -m http.server 8000 --bind 127.0.0.1 > /dev/null 2>&1 &";
  const fetchIt =
    "curl -s --retry 20 --retry-delay 1 --retry-connrefused -o /dev/null -w '%{http_code}' http://localhost:8000/";
  assert.equal(textOf(await place.shell(`${serve} ${fetchIt}; kill $!; wait 2> /dev/null`)), "200");
});
