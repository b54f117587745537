import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createPlace, runCli } from "./support/cli.ts";
import { untilTrue } from "../support/running.ts";
import { connectHttp, textOf } from "./support/mcp-client.ts";
import { addPerson, requestAs, startWaiting } from "./support/people.ts";
import { startServe } from "./support/serve.ts";

interface Listed {
  readonly calls: readonly { readonly callId: string }[];
}

test("a caller reads and cancels only their own calls: those of others are as unknown", async (t) => {
  const place = createPlace(t);
  place.write("long.txt", "a line of text\n".repeat(20_000));
  const served = await startServe(t, place, ["--mode", "auto"]);
  const [alice, bob] = [await addPerson(place, "alice", "caller"), await addPerson(place, "bob", "caller")];
  const body = { id: "one", name: "grep", input: { pattern: "line", path: "long.txt" }, session: "s" };
  assert.equal((await requestAs(served, alice, "POST", "/api/calls", body)).status, 200);
  const get = (token: string, path: string) => requestAs(served, token, "GET", path);
  const own = JSON.parse((await get(alice, "/api/calls/one")).text) as {
    readonly artifactId: string;
    readonly call: { readonly session: string; readonly subject: string };
  };
  assert.deepEqual([own.call.subject, own.call.session], ["alice", "person:alice:s"]);
  const idsOf = async (token: string, path: string) =>
    (JSON.parse((await get(token, path)).text) as Listed).calls.map(({ callId }) => callId);
  assert.deepEqual(await idsOf(alice, "/api/calls"), ["one"]);
  for (const query of ["", "?all=true", "?session=person:alice:s", "?session=s", "?text=line"])
    assert.deepEqual(await idsOf(bob, `/api/calls${query}`), [], query);
  const { artifactId } = own;
  assert.equal((await get(alice, `/api/artifacts/${artifactId}?call=one`)).status, 200);
  assert.equal((await get(alice, `/api/artifacts/${artifactId}`)).status, 404);
  // The same answer for what exists as for what does not.
  for (const [path, unknown] of [
    ["/api/calls/one", "/api/calls/two"],
    [`/api/artifacts/${artifactId}?call=one`, "/api/artifacts/none?call=one"],
    [
      `/api/artifacts/${artifactId}/search?text=line&call=one`,
      "/api/artifacts/none/search?text=line&call=one",
    ],
  ] as const) {
    const [real, none] = [await get(bob, path), await get(bob, unknown)];
    const blank = (text: string): string =>
      text.replaceAll(/"(?:one|two|none)\\?"|artifact[\w-]+|\\"[^"\\]+\\"/g, "_");
    assert.equal(real.status, 404, path);
    assert.equal(blank(real.text), blank(none.text), path);
  }
  assert.equal((await get(bob, "/api/trace?all=true")).text, "");
  assert.notEqual((await get(alice, "/api/trace")).text, "");
  // The same id is free for another person, and their session of the same name is another.
  assert.equal((await requestAs(served, bob, "POST", "/api/calls", body)).status, 200);
  assert.deepEqual(await idsOf(bob, "/api/calls?all=true"), ["one"]);
  const admin = JSON.parse((await get(served.token, "/api/calls")).text) as Listed;
  assert.equal(admin.calls.length, 2);
});

test("a caller sees their own requests for approval and events, and cannot answer them", async (t) => {
  const { place, served } = await startWaiting(t);
  const [alice, bob] = [await addPerson(place, "alice", "caller"), await addPerson(place, "bob", "caller")];
  const listening = new AbortController();
  t.after(() => listening.abort());
  const streamed = { alice: "", bob: "" };
  for (const [name, token] of Object.entries({ alice, bob }) as ["alice" | "bob", string][]) {
    const response = await fetch(new URL("/api/events", served.address), {
      headers: { authorization: `Bearer ${token}` },
      signal: listening.signal,
    });
    void (async () => {
      for await (const piece of response.body ?? []) streamed[name] += Buffer.from(piece).toString();
    })().catch(() => undefined);
  }
  const body = { name: "write_file", input: { path: "alice.txt", content: "x" }, wait: false };
  assert.equal((await requestAs(served, alice, "POST", "/api/calls", body)).status, 202);
  const waiting = async (token: string) =>
    (
      JSON.parse((await requestAs(served, token, "GET", "/api/approvals")).text) as {
        readonly approvals: readonly {
          readonly id: string;
          readonly request: { readonly subject?: string };
        }[];
      }
    ).approvals;
  await untilTrue("alice's call waits", async () => (await waiting(alice)).length === 1);
  await untilTrue("alice's stream has it", () => streamed.alice.includes("approval.asked"));
  assert.deepEqual(await waiting(bob), []);
  assert.equal((await waiting(served.token)).length, 2);
  assert.ok(!streamed.bob.includes("alice"), streamed.bob);
  const [asked] = await waiting(alice);
  assert.equal(asked?.request.subject, "alice");
  const path = `/api/approvals/${asked.id}`;
  assert.equal((await requestAs(served, alice, "POST", path, { choice: "once" })).status, 403);
  assert.equal(existsSync(join(place.folder, "alice.txt")), false);
  const carol = await addPerson(place, "carol", "approver");
  const decided = await requestAs(served, carol, "POST", path, { choice: "once" });
  assert.equal((JSON.parse(decided.text) as { approval: { by: string } }).approval.by, "carol");
  await untilTrue("the approved call ran", () => existsSync(join(place.folder, "alice.txt")));
});

test("a call is cancelled by its person and by administrators, not by others who may read it", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "ask"]);
  const [alice, carol] = [
    await addPerson(place, "alice", "caller"),
    await addPerson(place, "carol", "caller"),
  ];
  await runCli(place, ["user", "set", "carol", "--role", "viewer", "--role", "caller"]);
  const admin = await addPerson(place, "dan", "admin");
  const cancel = async (token: string) =>
    (await requestAs(served, token, "POST", "/api/calls/one/cancel", {})).text;
  for (const owner of [alice, admin]) {
    const body = { id: "one", name: "write_file", input: { path: "a.txt", content: "x" }, wait: false };
    assert.equal((await requestAs(served, alice, "POST", "/api/calls", body)).status, 202);
    await untilTrue(
      "the call is recorded",
      async () => (await requestAs(served, carol, "GET", "/api/calls/one")).status === 200,
    );
    assert.equal(await cancel(carol), '{"cancelled":false}');
    assert.equal(await cancel(owner), '{"cancelled":true}');
    await untilTrue("it is no longer open", async () => (await cancel(admin)).includes("false"));
  }
});

test("an approval for good holds for the person whose call it was", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "ask"]);
  const [alice, bob] = [await addPerson(place, "alice", "caller"), await addPerson(place, "bob", "caller")];
  const call = (token: string) =>
    requestAs(served, token, "POST", "/api/calls", {
      name: "write_file",
      input: { path: "granted.txt", content: "x" },
      wait: false,
    });
  const waiting = async () => (await served.send<"approvals">("GET", "/api/approvals")).body.approvals;
  await call(alice);
  await untilTrue("the call waits", async () => (await waiting()).length === 1);
  const [asked] = await waiting();
  const always = asked?.question.choices.find(({ id }) => id.startsWith("always"));
  assert.ok(always, JSON.stringify(asked?.question.choices));
  await served.send<"decide">("POST", `/api/approvals/${asked?.id}`, { choice: always.id });
  await untilTrue("the call ran", () => existsSync(join(place.folder, "granted.txt")));
  await call(bob);
  await untilTrue("the call of another person waits", async () => (await waiting()).length === 1);
  await call(alice);
  const own = async () =>
    JSON.parse((await requestAs(served, alice, "GET", "/api/calls")).text) as {
      readonly calls: readonly { readonly state: string }[];
    };
  await untilTrue(
    "the granted call ran",
    async () => (await own()).calls.filter(({ state }) => state === "answered").length === 2,
  );
});

test("a person who is disabled loses open streams, waiting calls and MCP sessions within a moment", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "ask"]);
  const alice = await addPerson(place, "alice", "caller");
  const stream = await fetch(new URL("/api/events", served.address), {
    headers: { authorization: `Bearer ${alice}` },
  });
  let isOpen = true;
  void (async () => {
    for await (const _ of stream.body ?? []);
  })()
    .catch(() => undefined)
    .finally(() => (isOpen = false));
  const call = { name: "write_file", input: { path: "late.txt", content: "x" } };
  const waited = requestAs(served, alice, "POST", "/api/calls", call);
  await requestAs(served, alice, "POST", "/api/calls", { ...call, wait: false });
  const client = await connectHttp(t, new URL(`/mcp?token=${alice}`, served.address));
  const calling = client.client.callTool({
    name: "write_file",
    arguments: { path: "mcp.txt", content: "x" },
  });
  calling.catch(() => undefined);
  const waiting = async () => (await served.send<"approvals">("GET", "/api/approvals")).body.approvals;
  await untilTrue("the calls wait", async () => (await waiting()).length === 3);
  assert.equal((await runCli(place, ["user", "disable", "alice"])).code, 0);
  await untilTrue("the stream has ended", () => !isOpen);
  await untilTrue("the calls are withdrawn", async () => (await waiting()).length === 0);
  assert.match((await waited).text, /"code":"CANCELLED"/);
  assert.equal((await requestAs(served, alice, "GET", "/api/state")).status, 401);
  await assert.rejects(client.client.listTools());
  for (const file of ["late.txt", "mcp.txt"]) assert.equal(existsSync(join(place.folder, file)), false, file);
  const { body } = await served.send<"calls">("GET", "/api/calls");
  assert.deepEqual(
    body.calls.map(({ state }) => state),
    ["answered", "answered", "answered"],
  );
});

test("an MCP client acts for its person, in sessions that no other person can use", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "hello");
  const served = await startServe(t, place);
  const [alice, bob] = [
    await addPerson(place, "alice", "caller", ["--tools", "read_*,ls"]),
    await addPerson(place, "bob", "caller"),
  ];
  const url = new URL(`/mcp?token=${alice}`, served.address);
  const transport = new StreamableHTTPClientTransport(url);
  const client = new Client({ name: "c", version: "1" });
  await client.connect(transport);
  t.after(() => client.close());
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => !/^(?:read_|ls$)/.test(name)),
    [],
  );
  assert.match(textOf(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } })), /hello/);
  const refused = await client.callTool({ name: "glob", arguments: { pattern: "*" } }).catch(String);
  assert.match(JSON.stringify(refused), /glob/);
  const { body } = await served.send<"calls">("GET", "/api/calls");
  const [row] = body.calls;
  const { body: detail } = await served.send<"call">("GET", `/api/calls/${row?.callId}`);
  assert.equal(detail.call.subject, "alice");
  assert.match(detail.call.session ?? "", /^person:alice:mcp-/);
  const inSession = (token: string, session: string) =>
    fetch(new URL("/mcp", served.address), {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    });
  assert.equal((await inSession(alice, transport.sessionId ?? "")).status, 200);
  const [real, unknown] = await Promise.all(
    [transport.sessionId ?? "", "none"].map(async (session) => {
      const response = await inSession(bob, session);
      return [response.status, await response.text()];
    }),
  );
  assert.deepEqual(real, unknown);
  assert.equal(real?.[0], 404);
});

test("no caller gets into the sessions of a person by their name", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place);
  const body = { id: "refused", name: "ls", input: {}, session: "person:alice:s" };
  for (const [path, sent] of [
    ["/api/calls", body],
    // The refused call is not open.
    ["/api/calls", body],
    ["/execute", { tool: "ls", params: {}, session: "person:alice:s" }],
    ["/api/policy/explain", { name: "ls", input: {}, session: "person:alice:s" }],
  ] as const) {
    const { status, text } = await requestAs(served, served.token, "POST", path, sent);
    assert.equal(status, 400, text);
    assert.match(text, /belongs to a person/);
  }
});

test("the command user says what it did, and what is wrong", async (t) => {
  const place = createPlace(t);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(place, ["user", ...args]);
    return { code, text: stdout + stderr };
  };
  assert.match((await run()).text, /no people yet; toolwright user add NAME adds one/);
  assert.match((await run("add", "alice")).text, /added alice as caller/);
  const { text: token } = await run("token", "alice", "--expires", "30d", "--tools", "read_*");
  assert.match(token, /it is shown only now/);
  const { text: list } = await run("list");
  assert.match(
    list,
    /^alice {2}caller\n {2}[0-9a-f]{16} {2}created .* {2}never used {2}expires .* {2}read_\*\n$/,
  );
  assert.ok(!(await run("list", "--json")).text.includes("hash"));
  for (const [args, code, says] of [
    [["add", "alice"], 2, /already a person named "alice"/],
    [["add", "Bob"], 2, /cannot be named "Bob"/],
    [["add", "bob", "--role", "caler"], 2, /unknown role "caler"[^]*did you mean caller/],
    [["token", "alcie"], 2, /no person is named "alcie"[^]*did you mean alice/],
    [["token", "alice", "--expires", "soon"], 2, /expected a number and m, h, d or w/],
    [["token", "alice", "--tools", "a b"], 2, /expected names of tools/],
    [["set", "alice"], 2, /nothing to set/],
    [["revoke", "none"], 2, /no token has the id/],
    [["disable"], 2, /missing name/],
    [["lst"], 2, /unknown action "lst"[^]*did you mean list/],
    [["list", "--store", ":memory:"], 2, /cannot be stored in memory/],
  ] as const) {
    const answer = await run(...args);
    assert.equal(answer.code, code, `${args.join(" ")}: ${answer.text}`);
    assert.match(answer.text, says);
  }
});
