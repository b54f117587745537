import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { generateKeyPair } from "jose";
import { runCli } from "./support/cli.ts";
import { serveMcp, textOf } from "./support/mcp-client.ts";
import { createMcpLogin, createOidcPlace } from "./support/oidc-place.ts";
import { startServe } from "./support/serve.ts";
import { requestAs } from "./support/people.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** Connects as a person does: the first request is refused, the browser logs in, the second is answered. */
async function connect(t: TestContext, url: URL, { authProvider, login }: ReturnType<typeof createMcpLogin>) {
  const first = new StreamableHTTPClientTransport(url, { authProvider });
  await assert.rejects(new Client({ name: "c", version: "1" }).connect(first), UnauthorizedError);
  await first.finishAuth(login.answer);
  const client = new Client({ name: "c", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
  t.after(() => client.close());
  return client;
}

for (const door of ["serve", "mcp --http"] as const)
  test(`${door}: an MCP client registers, logs in at the provider and calls tools for its person`, async (t) => {
    const { provider, place } = await createOidcPlace(t, { mcpScopes: ["tools"] });
    place.write("a.txt", "hello");
    provider.users.set("u1", { preferred_username: "alice", groups: ["dev"] });
    const address =
      door === "serve" ? (await startServe(t, place)).address : (await serveMcp(t, place)).address;
    const url = new URL("/mcp", address);
    const mcp = createMcpLogin(provider, "u1");
    const client = await connect(t, url, mcp);
    assert.equal(mcp.login.asked[0]?.searchParams.get("resource"), url.href);
    assert.equal(mcp.login.asked[0]?.searchParams.get("code_challenge_method"), "S256");
    assert.match(textOf(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } })), /hello/);
    const { stdout } = await runCli(place, ["trace", "--json"]);
    assert.match(stdout, /"subject":"alice"/);
  });

test("a request without a token learns where to log in, and nothing else", async (t) => {
  const { provider, place } = await createOidcPlace(t, { mcpScopes: ["tools"] });
  const { address } = await startServe(t, place);
  const { origin } = address;
  for (const path of ["/mcp", "/mcp/any"]) {
    const response = await fetch(new URL(path, address), { method: "POST", body: "{}" });
    assert.equal(response.status, 401);
    const challenge = response.headers.get("www-authenticate") ?? "";
    const metadata = `${origin}/.well-known/oauth-protected-resource${path}`;
    assert.equal(challenge, `Bearer scope="tools", resource_metadata="${metadata}"`);
    assert.deepEqual(await (await fetch(metadata)).json(), {
      resource: `${origin}${path}`,
      authorization_servers: [provider.issuer],
      bearer_methods_supported: ["header"],
      resource_name: "Toolwright",
      scopes_supported: ["tools"],
    });
  }
  const root = await fetch(`${origin}/.well-known/oauth-protected-resource`);
  assert.equal(((await root.json()) as { resource: string }).resource, `${origin}/mcp`);
  const api = await fetch(new URL("/api/state", address));
  assert.equal(api.headers.get("www-authenticate"), "Bearer");
});

test("an access token counts only as the provider made it, for this server, now, and for /mcp alone", async (t) => {
  const { provider, place } = await createOidcPlace(t);
  const served = await startServe(t, place);
  const { origin } = served.address;
  const now = Math.floor(Date.now() / 1000);
  const good = {
    iss: provider.issuer,
    sub: "u1",
    aud: `${origin}/mcp`,
    iat: now,
    exp: now + 600,
    client_id: "c",
    groups: ["dev"],
    preferred_username: "alice",
  };
  const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const { privateKey: foreign } = await generateKeyPair("RS256");
  const valid = await provider.sign(good);
  const [head, , signature] = valid.split(".");
  const wrong: Readonly<Record<string, string>> = {
    audience: await provider.sign({ ...good, aud: "https://other.test/mcp" }),
    "no audience": await provider.sign({ ...good, aud: undefined }),
    "the id of the client as its audience": await provider.sign({ ...good, aud: "toolwright" }),
    issuer: await provider.sign({ ...good, iss: "https://other.test" }),
    "no issuer": await provider.sign({ ...good, iss: undefined }),
    expired: await provider.sign({ ...good, exp: now - 60 }),
    "no expiry": await provider.sign({ ...good, exp: undefined }),
    "not yet": await provider.sign({ ...good, nbf: now + 600 }),
    "no person": await provider.sign({ ...good, sub: undefined }),
    "another key": await provider.sign(good, { key: foreign }),
    "another key with an id of its own": await provider.sign(good, { key: foreign, header: { kid: "k2" } }),
    "an ID token": await provider.sign({ ...good, nonce: "n" }),
    "another type": await provider.sign(good, { header: { typ: "logout+jwt" } }),
    "alg none": `${base64({ alg: "none", typ: "at+jwt" })}.${base64(good)}.`,
    "alg none with a signature": `${base64({ alg: "none" })}.${base64(good)}.${signature}`,
    "alg HS256": `${base64({ alg: "HS256", kid: "k1" })}.${base64(good)}.${signature}`,
    "other claims": `${head}.${base64({ ...good, sub: "u2" })}.${signature}`,
    "no signature": valid.slice(0, valid.lastIndexOf(".") + 1),
    text: "x".repeat(43),
  };
  for (const [what, token] of Object.entries(wrong)) {
    const { status, text } = await requestAs(served, token, "POST", "/mcp", LIST);
    assert.deepEqual([status, text.includes("tools")], [401, false], `${what}: ${text}`);
  }
  const { stdout: nobody } = await runCli(place, ["user", "list"]);
  assert.match(nobody, /no people yet/);
  const admitted = await requestAs(served, valid, "POST", "/mcp", LIST);
  assert.ok(![401, 403].includes(admitted.status), admitted.text);
  for (const path of ["/api/state", "/execute", "/metrics"])
    assert.equal((await requestAs(served, valid, "GET", path)).status, 401, path);
  // By group: dev may call; people of no known group may not come in at all.
  const guest = await provider.sign({ ...good, sub: "u3", groups: ["guests"] });
  assert.equal((await requestAs(served, guest, "POST", "/mcp", LIST)).status, 403);
  const viewer = await provider.sign({ ...good, sub: "u4", groups: ["eyes"], preferred_username: "eve" });
  assert.equal((await requestAs(served, viewer, "POST", "/mcp", LIST)).status, 403);
  await runCli(place, ["user", "disable", "alice"]);
  assert.equal((await requestAs(served, valid, "POST", "/mcp", LIST)).status, 403);
});

test("a token without the scopes of the config is refused, and the answer names them", async (t) => {
  const { provider, place } = await createOidcPlace(t, { mcpScopes: ["tools"] });
  const { address } = await startServe(t, place);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: provider.issuer,
    sub: "u1",
    aud: `${address.origin}/mcp`,
    exp: now + 60,
    groups: ["dev"],
  };
  const send = async (scope: string) =>
    fetch(new URL("/mcp", address), {
      method: "POST",
      headers: {
        authorization: `Bearer ${await provider.sign({ ...claims, scope })}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(LIST),
    });
  const refused = await send("other");
  assert.equal(refused.status, 403);
  assert.match(
    refused.headers.get("www-authenticate") ?? "",
    /^Bearer error="insufficient_scope", scope="tools", resource_metadata="/,
  );
  assert.notEqual((await send("other tools")).status, 403);
});

test("a token that is no JWT is asked about at the provider, and its audience is checked too", async (t) => {
  const { provider, place } = await createOidcPlace(t, { mcpScopes: ["tools"] });
  place.write("a.txt", "hello");
  provider.tokens = "opaque";
  provider.users.set("u1", { preferred_username: "alice", groups: ["dev"] });
  const served = await startServe(t, place);
  const mcp = createMcpLogin(provider, "u1");
  const client = await connect(t, new URL("/mcp", served.address), mcp);
  assert.doesNotMatch(mcp.tokens()?.access_token ?? "", /\./);
  assert.match(textOf(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } })), /hello/);
  assert.ok(provider.received.includes("/token/introspection"));
  const other = await startServe(t, place);
  const elsewhere = await requestAs(other, mcp.tokens()?.access_token, "POST", "/mcp", LIST);
  assert.equal(elsewhere.status, 401);
});
