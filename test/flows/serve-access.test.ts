import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CERTIFICATE, KEY } from "../support/servers/secure-server.ts";
import { createPlace, runCli, until } from "./support/cli.ts";
import { sendRaw, startServe, startServeProcess } from "./support/serve.ts";

type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = { "content-type": "application/json" };

/** Requests that write a file, if they are let in. */
const WRITES = {
  "/api/calls": (input: object) => ({ name: "write_file", input }),
  "/execute": (params: object) => ({ tool: "write_file", params }),
  "/mcp": (args: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "write_file", arguments: args },
  }),
} as const;

test("a request of another site or without the token is refused, and writes nothing", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "yolo"]);
  const { address, token } = served;
  const visit = await sendRaw(address, { path: `/?token=${token}`, headers: {} });
  const cookie = visit.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  assert.match(visit.headers["set-cookie"]?.[0] ?? "", /; HttpOnly; SameSite=Strict$/);
  const bearer = { authorization: `Bearer ${token}`, ...JSON_TYPE };
  const own = { cookie, origin: address.origin, "sec-fetch-site": "same-origin", ...JSON_TYPE };
  const refused: Readonly<Record<string, readonly [number, Headers]>> = {
    "a foreign Host": [403, { ...bearer, host: "evil.example" }],
    "a foreign Host with our port": [403, { ...own, host: `evil.example:${address.port}` }],
    "a foreign Origin": [403, { ...bearer, origin: "https://evil.example" }],
    "the Origin of another port": [403, { ...own, origin: "http://127.0.0.1:1" }],
    "Origin: null": [403, { ...bearer, origin: "null" }],
    "no token": [401, JSON_TYPE],
    "a wrong token": [401, { ...bearer, authorization: `Bearer ${token}x` }],
    "a wrong cookie": [401, { ...own, cookie: `${cookie}x` }],
    "a text/plain POST": [403, { ...bearer, "content-type": "text/plain" }],
    "a text/plain POST with the cookie": [403, { ...own, "content-type": "text/plain" }],
    "the cookie for a page of another port": [403, { cookie, "sec-fetch-site": "same-site", ...JSON_TYPE }],
    "the cookie for another site": [403, { cookie, "sec-fetch-site": "cross-site", ...JSON_TYPE }],
  };
  const write = (path: keyof typeof WRITES, headers: Headers, file: string) =>
    sendRaw(address, {
      method: "POST",
      path,
      headers,
      body: JSON.stringify(WRITES[path]({ path: file, content: "x" })),
    });
  for (const path of Object.keys(WRITES) as (keyof typeof WRITES)[])
    for (const [what, [status, headers]] of Object.entries(refused)) {
      const answer = await write(path, headers, "refused.txt");
      assert.equal(answer.status, status, `${path}, ${what}: ${answer.text}`);
      assert.equal(answer.headers["access-control-allow-origin"], undefined);
    }
  const { body } = await served.send<"calls">("GET", "/api/calls");
  assert.deepEqual([body.calls, existsSync(join(place.folder, "refused.txt"))], [[], false]);
  // The same requests with nothing wrong.
  for (const path of ["/api/calls", "/execute"] as const)
    for (const [name, headers] of Object.entries({ bearer, own })) {
      const file = `${path.split("/").at(-1)}-${name}.txt`;
      assert.equal((await write(path, headers, file)).status, 200);
      assert.ok(existsSync(join(place.folder, file)), file);
    }

  await t.test("a WebSocket of another site is not opened", async () => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const key = { "sec-websocket-key": Buffer.alloc(16).toString("base64") };
    for (const path of ["/", "/api/events", "/mcp"])
      for (const credentials of [{ cookie }, { authorization: `Bearer ${token}` }]) {
        const headers = { ...upgrade, ...key, ...credentials, origin: "https://evil.example" };
        assert.equal((await sendRaw(address, { path, headers })).status, 403, path);
      }
  });

  await t.test("a page that a foreign Origin asks to change the mode does not change it", async () => {
    const headers = { ...own, origin: "https://evil.example" };
    const put = { method: "PUT", path: "/api/policy/mode", headers, body: JSON.stringify({ mode: "plan" }) };
    assert.equal((await sendRaw(address, put)).status, 403);
    assert.equal((await served.send<"policy">("GET", "/api/policy")).body.mode, "yolo");
  });
});

test("an address that other machines can reach needs TLS or --network", async (t) => {
  const place = createPlace(t);
  for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
    const { code, stdout, stderr } = await runCli(place, ["serve", "--port", "0", "--host", host]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(
      stderr,
      /can be reached by other machines.*without encryption\n.*--cert and --key.*--network/,
    );
  }
  const half = await runCli(place, ["serve", "--port", "0", "--cert", "cert.pem"]);
  assert.deepEqual([half.code, /--key is missing/.test(half.stderr)], [2, true]);
  const missing = await runCli(place, ["serve", "--port", "0", "--cert", "no.pem", "--key", "no.pem"]);
  assert.deepEqual([missing.code, /cannot read the certificate .*no\.pem/.test(missing.stderr)], [2, true]);
});

test("files that are not a certificate and its key are refused by name", async (t) => {
  const place = createPlace(t);
  const other = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
  const contents = { "cert.pem": CERTIFICATE, "key.pem": KEY, "other.pem": other };
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(place.folder, name), text);
  const refusals = [
    [
      "key.pem",
      "key.pem",
      /^toolwright: cannot read the certificate \S*key\.pem: .*\n {2}expected a certificate in PEM form\n$/,
    ],
    [
      "cert.pem",
      "cert.pem",
      /^toolwright: cannot read the private key \S*cert\.pem: .*\n {2}expected a private key.* in PEM form\n$/,
    ],
    ["cert.pem", "other.pem", /^toolwright: \S*other\.pem is not the key of the certificate \S*cert\.pem\n$/],
  ] as const;
  for (const [cert, key, message] of refusals) {
    const { code, stdout, stderr } = await runCli(place, [
      "serve",
      "--port",
      "0",
      "--cert",
      cert,
      "--key",
      key,
    ]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, message);
  }
});

test("TERM ends the server: waiting calls are answered, and its exit code is 0", async (t) => {
  const other = await startServeProcess(t, createPlace(t), ["--sandbox", "auto"]);
  const waiting = other.send<"run">("POST", "/api/calls", { name: "shell", input: { command: "touch x" } });
  const stream = await other.events();
  const { body } = await other.send<"state">("GET", "/api/state");
  assert.ok(body.openCalls <= 1);
  assert.notEqual(body.sandbox, "auto");
  await until("the call waits", () => stream.received.some(({ type }) => type === "approval.pending"));
  const code = await other.stop();
  assert.equal((await waiting).status, 499);
  assert.equal(code, 0);
});
