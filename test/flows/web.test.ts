import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startSecureServer, startTunnelProxy, trustSecureServer } from "../support/servers/secure-server.ts";
import { startWebServer } from "../support/servers/web-server.ts";
import { createPlace, runCli } from "./support/cli.ts";

const PAGE = readFileSync("test/fixtures/pages/docs.html");

test("the built program fetches a page that the config allows, searches, and asks about a host that nothing covers", async (t) => {
  const { origin, port } = await startWebServer(t, ({ url }, response) => {
    if (url?.startsWith("/search") === true)
      response.end(JSON.stringify({ results: [{ title: "A", url: "https://a.example/", content: "b" }] }));
    else response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  });
  const place = createPlace(t);
  const web = {
    privateHosts: [`127.0.0.1:${port}`],
    search: { service: "searxng", url: origin },
  };
  const write = (more: object): void =>
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ web: { ...web, ...more } }));
  const fetchPage = () => runCli(place, ["call", "web_fetch", `url=${origin}/docs`]);
  write({});
  const asked = await fetchPage();
  assert.equal(asked.code, 3);
  assert.match(asked.stderr, /mode auto asks/);
  write({ trustedHosts: ["127.0.0.1"] });
  const fetched = await fetchPage();
  assert.deepEqual([fetched.code, fetched.stderr], [0, ""]);
  assert.match(fetched.stdout, /^# fs\.open\(\) — Runtime API\n[\s\S]*```js\nimport \{ open \}/);
  const found = await runCli(place, ["call", "web_search", "query=x"]);
  assert.match(found.stdout, /1\. A\n {3}https:\/\/a\.example\/\n {3}b/);
  write({ trustedHosts: ["127.0.0.1"], privateHosts: [] });
  const refused = await fetchPage();
  assert.match(
    refused.stderr,
    new RegExp(
      `not connecting to port ${port} of 127\\.0\\.0\\.1\\n.*"privateHosts": \\["127\\.0\\.0\\.1:${port}"\\]`,
    ),
  );
});

test("the built program fetches over https through a proxy", async (t) => {
  trustSecureServer(t);
  const port = await startSecureServer(t, (_, response) => response.end("secure page"));
  const { origin, tunnels } = await startTunnelProxy(t, port);
  const place = createPlace(t);
  const host = `127.0.0.1:${port}`;
  const web = { proxy: origin, privateHosts: [host], trustedHosts: ["127.0.0.1"] };
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ web }));
  const { code, stdout, stderr } = await runCli(place, ["call", "web_fetch", `url=https://${host}/`]);
  assert.deepEqual([code, stdout, stderr], [0, "secure page\n", ""]);
  assert.deepEqual(tunnels, [host]);
});
