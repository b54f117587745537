import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createEngine, defineTool, object, string, ToolError } from "../../src/index.ts";
import { serveConsole, type ServeConsoleOptions } from "../../src/doors/console.ts";
import { createApprovalQueue, createStoredGrants, openStore } from "../../src/doors/store.ts";
import { checkPage, openConsole, startBrowser } from "../long/support/console.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys a service.",
  input: object({ service: string() }),
  risk: "high",
  run: ({ service }) => `${service} is deployed`,
});
const read = defineTool({ name: "read", description: "Reads.", reading: true, run: () => "text" });

/** Serves the console of an engine whose calls wait in the queue of its store. */
async function openProgram(t: TestContext, options: Partial<ServeConsoleOptions> = {}) {
  const folder = temporaryFolder(t);
  const store = await openStore({ folder });
  const queue = createApprovalQueue(store.collections);
  const grants = createStoredGrants(store.collections, folder);
  const { journal, artifacts } = store;
  const engine = createEngine({
    tools: [deploy, read],
    approver: queue.approver,
    journal,
    artifacts,
    grants,
  });
  const served = await serveConsole(engine, { store, grants, ...options });
  t.after(async () => {
    await served.close();
    await engine.close();
    await store.close();
  });
  const address = new URL(served.address);
  const token = address.searchParams.get("token") ?? "";
  const send = async (method: string, path: string, body?: object): Promise<readonly [number, object]> => {
    const response = await fetch(new URL(path, address), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as object];
  };
  return { engine, queue, served, address, send };
}

test("a program's console shows its calls, and a person approves one that waits", async (t) => {
  const [browser, { engine, address, send }] = await Promise.all([startBrowser(t), openProgram(t)]);
  assert.ok((await engine.run({ id: "first", name: "read", input: {} })).ok);
  const running = engine.run({ id: "second", name: "deploy", input: { service: "shop" } });
  const { page, show, errors } = await openConsole(browser, address);
  const links = await page.getByRole("navigation").getByRole("link").allInnerTexts();
  assert.deepEqual(
    links.map((text) => text.split("\n")[0]?.trim()),
    ["Overview", "Calls", "Approvals", "Sessions", "Tools", "Sources", "Charts"],
  );
  await show("approvals");
  await page.getByRole("article").getByText("shop").first().waitFor();
  await page.locator(".approval .primary:enabled").click();
  assert.equal((await running).ok, true);
  await page.locator(".answered").getByText("Approved here, once.").waitFor();
  await show("calls/first");
  await page.getByText("read").first().waitFor();
  for (const name of ["overview", "sessions", "tools", "sources", "charts"]) await show(name);
  await checkPage(page, "charts of a program");
  assert.deepEqual(errors, []);
  const [, { calls }] = (await send("GET", "/api/calls")) as [number, { calls: { callId: string }[] }];
  assert.deepEqual(
    calls.map(({ callId }) => callId),
    ["second", "first"],
  );
});

test("the token of a program's console approves and calls nothing, unless the program lets people call", async (t) => {
  const body = { name: "read", input: {} };
  const { send } = await openProgram(t);
  const [, state] = await send("GET", "/api/state");
  assert.deepEqual((state as { rights: unknown }).rights, ["read", "approve"]);
  assert.equal((await send("POST", "/api/calls", body))[0], 405);
  assert.equal((await send("GET", "/api/fleet"))[0], 404);
  assert.equal((await send("PUT", "/api/policy/mode", { mode: "yolo" }))[0], 404);
  const [, document] = (await send("GET", "/api/openapi.json")) as [number, { paths: object }];
  assert.equal("/api/fleet" in document.paths, false);
  assert.equal((await send("DELETE", "/api/sessions/any"))[0], 405, "no token of this program may");
  assert.equal((await send("DELETE", "/api/grants/any"))[0], 404, "a person who approves may revoke");

  const { send: sendTo, engine } = await openProgram(t, { mayCall: true });
  const [status, result] = await sendTo("POST", "/api/calls", body);
  assert.deepEqual(
    [status, (result as { content: unknown }).content],
    [200, [{ type: "text", text: "text" }]],
  );
  const waiting = sendTo("POST", "/api/calls", { id: "asks", name: "deploy", input: { service: "a" } });
  await untilTrue("it waits", async () => {
    const [, { approvals }] = (await sendTo("GET", "/api/approvals")) as [number, { approvals: object[] }];
    return approvals.length === 1;
  });
  await sendTo("POST", "/api/calls/asks/cancel", {});
  assert.equal((await waiting)[0], 499);
  assert.ok(engine.get("deploy"));
});

test("who has no token, and pages of other hosts, are refused; a token of the program is masked and stays", async (t) => {
  const token = "a-token-of-the-program-with-32-characters";
  const { served, address, engine, send } = await openProgram(t, { token });
  assert.equal((await fetch(new URL("/api/state", address))).status, 401);
  const headers = { authorization: `Bearer ${token}`, origin: "http://evil.example" };
  assert.equal((await fetch(new URL("/api/state", address), { headers })).status, 403);
  assert.equal((await send("GET", "/api/state"))[0], 200);
  assert.doesNotMatch(engine.masker.text(`it is ${token}`), /a-token/);
  await served.close();
  await assert.rejects(fetch(new URL("/api/state", address)));
  assert.ok((await engine.run({ id: "after", name: "read", input: {} })).ok, "the engine is the program's");
});

test("wrong options are refused before anything listens", async (t) => {
  const store = await openStore({ folder: temporaryFolder(t) });
  t.after(() => store.close());
  const engine = createEngine({ tools: [read] });
  t.after(() => engine.close());
  const open = (options: object): Promise<unknown> => serveConsole(engine, options as ServeConsoleOptions);
  const refused = (pattern: RegExp) => (error: unknown) =>
    error instanceof ToolError && error.code === "INVALID_INPUT" && pattern.test(error.message);
  await assert.rejects(open({}), refused(/the option "store" is missing/));
  await assert.rejects(open({ store, prot: 80 }), refused(/prot/));
  await assert.rejects(open({ store, token: "short" }), refused(/at least 32/));
  await assert.rejects(open({ store, host: "0.0.0.0" }), refused(/without encryption/));
  await assert.rejects(
    open({ store: Promise.resolve(store) }),
    refused(/store: the option "journal" is missing/),
  );
  await assert.rejects(open({ store, queue: {} }), refused(/queue: the option "pending" is missing/));
  for (const port of [70_000, 1.5, Infinity])
    await assert.rejects(open({ store, port }), refused(/port: expected an integer up to 65535/));
  // A descriptor of an open file would be read until it ends.
  await assert.rejects(open({ store, tls: { cert: 0, key: 0 } }), refused(/cert: expected a text, got 0/));
  await assert.rejects(serveConsole({} as never, { store }), refused(/is not an engine/));
  const served = await serveConsole(engine, { store, host: "[::1]" });
  assert.match(served.address, /^http:\/\/\[::1\]:\d+\//);
  await served.close();
  await assert.rejects(
    open({ store, tls: { cert: "none.pem", key: "none.pem" } }),
    refused(/cannot read the certificate none\.pem/),
  );
});
