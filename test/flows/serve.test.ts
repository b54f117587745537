import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { createPlace, runCli, startCli, until, type Place } from "./support/cli.ts";
import { sendRaw, startServe, type ServedPlace } from "./support/serve.ts";

// One server for all tests of the file: each uses files and calls of its own.
let place: Place;
let served: ServedPlace;
const ends: (() => unknown)[] = [];
const shared = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;

before(async () => {
  place = createPlace(shared);
  place.write("notes.txt", "one\ntwo\n");
  served = await startServe(shared, place);
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

test("a call runs through the pipeline, and is then known whole", async () => {
  const { status, body } = await served.send<"run">("POST", "/api/calls", {
    id: "whole",
    name: "read_file",
    input: { path: "notes.txt", limit: "1" },
  });
  assert.deepEqual([status, "ok" in body && body.ok], [200, true]);
  const { body: detail } = await served.send<"call">("GET", "/api/calls/whole");
  assert.equal(detail.verdict?.kind, "allow");
  assert.deepEqual(detail.coerced, { path: "notes.txt", limit: 1, start_line: 1 });
  assert.deepEqual(
    detail.facts.map((fact) => fact.kind === "path" && fact.path),
    [join(place.folder, "notes.txt")],
  );
  assert.deepEqual([detail.risk, detail.place, detail.attempts], ["low", "host", 1]);
  assert.deepEqual(
    detail.events.map(({ type }) => type),
    ["call.received", "call.judged", "call.started", "call.answered"],
  );
});

test("wrong input gets an error that names the field", async () => {
  const rows = [
    ["POST", "/api/calls", { nmae: "ls" }, 400, /unknown key "nmae"; did you mean name/],
    ["POST", "/api/calls", { name: "ls", timeoutMs: 0 }, 400, /timeoutMs: expected/],
    ["GET", "/api/calls?limit=many", undefined, 400, /limit: expected integer/],
    ["GET", "/api/calls?before=x", undefined, 400, /before: expected/],
    ["GET", "/api/calls?wrong=1", undefined, 400, /unknown key "wrong"/],
    ["PUT", "/api/policy/mode", { mode: "all" }, 400, /mode: expected/],
    ["POST", "/api/policy/explain", { command: "ls", input: {} }, 400, /command: expected either/],
    ["GET", "/api/artifacts/none/search?text=(&isPattern=true", undefined, 400, /text: /],
    ["GET", "/api/counts?since=2&until=1", undefined, 400, /since: expected/],
    ["POST", "/execute", { tool: "ls" }, 400, /params is missing/],
    ["GET", "/api/calls/none", undefined, 404, /no recorded call/],
    ["GET", "/api/tools/raed_file", undefined, 404, /no tool is named "raed_file"/],
    ["GET", "/api/artifacts/none", undefined, 404, /no stored answer/],
    ["GET", "/api/sessions/none", undefined, 404, /no stored session/],
    ["GET", "/api/sources/none/pins", undefined, 404, /no MCP server/],
    ["POST", "/api/chats/none/messages", { text: "x" }, 404, /no open conversation/],
    ["POST", "/api/chats", { resume: "none" }, 400, /./],
    ["DELETE", "/api/grants/none", undefined, 404, /no grant/],
    ["POST", "/api/approvals/none", { choice: "no" }, 409, /no call waits/],
    ["POST", "/api/fleet/workers/none/drain", undefined, 400, /fleet\.servers is not set/],
    ["GET", "/api/none", undefined, 404, /no operation GET \/api\/none/],
    ["POST", "/none", {}, 405, /no such operation/],
    ["DELETE", "/api/calls", undefined, 405, /expected GET, POST/],
  ] as const;
  for (const [method, path, body, status, message] of rows) {
    const answer = await served.send(method, path, body as never);
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    assert.match((answer.body as unknown as { error: { message: string } }).error.message, message, path);
  }
  const headers = { authorization: `Bearer ${served.token}`, "content-type": "application/json" };
  const broken = await sendRaw(served.address, { method: "POST", path: "/api/calls", headers, body: "{" });
  assert.deepEqual([broken.status, /not JSON/.test(broken.text)], [400, true]);
});

test("the status of a failed call is that of its code, and /execute runs under the same policy", async () => {
  const missing = await served.send<"run">("POST", "/api/calls", { name: "no_such_tool" });
  assert.equal(missing.status, 404);
  const denied = await served.send<"run">("POST", "/api/calls", {
    name: "shell",
    input: { command: "rm -rf /" },
  });
  assert.equal(denied.status, 403);
  const executed = await served.send("POST", "/execute", {
    tool: "shell",
    params: { command: "rm -rf /" },
  } as never);
  assert.match(JSON.stringify(executed.body), /"code":"DENIED".*disaster/);
  const read = await served.send("POST", "/execute", {
    tool: "read_file",
    params: { path: "notes.txt" },
  } as never);
  assert.match(JSON.stringify(read.body), /"ok":true.*two/);
  const headers = {
    authorization: `Bearer ${served.token}`,
    "content-type": "application/json",
    accept: "text/event-stream",
  };
  const body = JSON.stringify({ tool: "shell", params: { command: "echo streamed" }, id: "streamed" });
  const events = await sendRaw(served.address, { method: "POST", path: "/execute", headers, body });
  assert.match(events.text, /^event: result\ndata: .*streamed/m);
});

test("calls are paged and filtered on the server", async () => {
  for (let index = 0; index < 5; index += 1)
    await served.send<"run">("POST", "/api/calls", {
      name: "ls",
      session: "paged",
      input: { path: `missing-${index}` },
    });
  const page = async (query: string) =>
    (await served.send<"calls">("GET", `/api/calls?session=paged&${query}`)).body;
  const first = await page("limit=2");
  assert.deepEqual(
    first.calls.map(({ summary }) => summary),
    ["missing-4", "missing-3"],
  );
  const second = await page(`limit=2&before=${first.next}`);
  assert.deepEqual(
    second.calls.map(({ summary }) => summary),
    ["missing-2", "missing-1"],
  );
  const third = await page(`limit=2&before=${second.next}`);
  assert.deepEqual([third.calls.length, third.next], [1, null]);
  assert.equal((await page("text=path%3Dmissing-3")).calls.length, 1, "as the line of the call shows it");
  assert.equal((await page("outcome=failed")).calls.length, 5);
  assert.equal((await page("outcome=ok")).calls.length, 0);
  const { body } = await served.send<"counts">("GET", "/api/counts?buckets=4");
  assert.ok(body.points.every(({ at }) => at % body.bucketMs === 0));
  assert.ok((body.tools.find(({ name }) => name === "ls")?.failed ?? 0) >= 5);
});

test("calls of another folder are listed with all, and a failed command is marked", async (t) => {
  const elsewhere = { ...createPlace(t), home: place.home };
  await runCli(elsewhere, ["call", "shell", "command=exit 7", "--yes"]);
  const shells = async (query: string) =>
    (await served.send<"calls">("GET", `/api/calls?name=shell&text=exit+7${query}`)).body.calls;
  assert.deepEqual(await shells(""), []);
  const [call, ...others] = await shells("&all=true");
  assert.deepEqual(
    [call?.folder, call?.outcome, call?.message, others],
    [elsewhere.folder, "ok", "exit code 7", []],
  );
});

test("events stream as they happen, and a client that comes back gets what it missed", async () => {
  const stream = await served.events("?callId=live");
  const { status } = await served.send<"run">("POST", "/api/calls", {
    id: "live",
    name: "shell",
    input: { command: "ls" },
    wait: false,
  });
  assert.equal(status, 202);
  const types = (): readonly string[] => stream.received.map(({ type }) => type);
  await until("the call is answered", () => types().includes("call.answered"));
  assert.deepEqual(types().slice(0, 3), ["stream.opened", "call.received", "call.judged"]);
  const judged = stream.received.find(({ type }) => type === "call.judged");
  stream.close();
  const resumed = await served.events("?callId=live", judged?.eventId);
  await until("the missed events arrive", () =>
    resumed.received.some(({ type }) => type === "call.answered"),
  );
  assert.deepEqual(
    resumed.received.map(({ type }) => type),
    ["stream.opened", ...types().slice(3)],
  );
  assert.ok("isComplete" in (resumed.received[0] ?? {}) && resumed.received[0]?.type === "stream.opened");
  const lost = await served.events("", "other-1");
  assert.deepEqual(lost.received[0]?.type === "stream.opened" && lost.received[0].isComplete, false);
});

test("a call of the command line that waits is shown, and approved or denied from the page", async (t) => {
  const stream = await served.events();
  for (const [choice, code] of [
    ["once", 0],
    ["no", 3],
  ] as const) {
    const file = `${choice}.txt`;
    const args = ["call", "write_file", `path=${file}`, "content=x", "--queue"];
    const waiting = startCli(place, args);
    t.after(() => waiting.child.kill("SIGKILL"));
    const pending = () =>
      stream.received.findLast(
        (event) => event.type === "approval.pending" && event.approval.request.input["path"] === file,
      );
    await until("the request arrives", () => pending() !== undefined);
    const event = pending();
    assert.ok(event?.type === "approval.pending");
    const { id, question } = event.approval;
    const { view, choices } = question;
    assert.ok(view.kind === "diff" && view.diff.includes("+x"), JSON.stringify(view));
    assert.equal(choices.map((one) => one.id).join(), "once,session,always,1,no");
    await until("the call of the other process is shown", () =>
      stream.received.some((one) => one.type === "call.changed" && one.call.summary.startsWith(file)),
    );
    const answer = await served.send<"decide">("POST", `/api/approvals/${id}`, { choice });
    assert.equal(answer.status, 200);
    assert.equal((await waiting.finished).code, code);
    assert.equal(existsSync(join(place.folder, file)), choice === "once");
    const again = await served.send<"decide">("POST", `/api/approvals/${id}`, { choice: "once" });
    assert.equal(again.status, 409);
    await until("the request is closed on the page", () =>
      stream.received.some((one) => one.type === "approval.closed" && one.id === id),
    );
  }
});

test("an approval may edit the input, and only offers what the call allows", async () => {
  const running = served.send<"run">("POST", "/api/calls", {
    id: "edited",
    name: "write_file",
    input: { path: "edited.txt", content: "before" },
  });
  let id = "";
  while (id === "") {
    const { body } = await served.send<"approvals">("GET", "/api/approvals");
    id = body.approvals.find(({ request }) => request.callId === "edited")?.id ?? "";
  }
  const refused = await served.send<"decide">("POST", `/api/approvals/${id}`, {
    choice: "99",
  });
  assert.equal(refused.status, 400);
  const input = { path: "edited.txt", content: "after" };
  assert.equal(
    (await served.send<"decide">("POST", `/api/approvals/${id}`, { choice: "once", input })).status,
    200,
  );
  assert.equal((await running).status, 200);
  const { body } = await served.send<"call">("GET", "/api/calls/edited");
  assert.deepEqual(body.coerced, { ...input, create_only: false });
  assert.equal(body.approval?.approved, true);
  const read = await served.send("POST", "/execute", {
    tool: "read_file",
    params: { path: "edited.txt" },
  } as never);
  assert.match(JSON.stringify(read.body), /after/);
});

test("explain judges without running, and allowing a call saves the narrowest rule", async () => {
  const call = { name: "write_file", input: { path: "allowed.txt", content: "x" } };
  const before = await served.send<"explain">("POST", "/api/policy/explain", call);
  assert.equal(before.body.verdict?.kind, "ask");
  const saved = await served.send<"allow">("POST", "/api/policy/rules", call);
  assert.equal(saved.body.rule.path, join(place.folder, "allowed.txt"));
  const ran = await served.send<"run">("POST", "/api/calls", call);
  assert.equal(ran.status, 200);
  assert.equal((await served.send("DELETE", `/api/grants/${saved.body.grantId}`)).status, 200);
  const denied = await served.send("POST", "/api/policy/rules", { command: "rm -rf /" } as never);
  assert.equal(denied.status, 403);
});

test("the mode is changed for every call of the server", async () => {
  const run = () =>
    served.send<"run">("POST", "/api/calls", { name: "shell", input: { command: "touch by-plan" } });
  await served.send<"setMode">("PUT", "/api/policy/mode", { mode: "plan" });
  assert.equal((await run()).status, 403);
  await served.send<"setMode">("PUT", "/api/policy/mode", { mode: "yolo" });
  assert.equal((await run()).status, 200);
  await served.send<"setMode">("PUT", "/api/policy/mode", { mode: "auto" });
  assert.equal((await served.send<"policy">("GET", "/api/policy")).body.mode, "auto");
});

test("a long call is cancelled by its id", async () => {
  const running = served.send<"run">("POST", "/api/calls", { id: "long", name: "wait_here", input: {} });
  await running;
  const { body } = await served.send<"cancelCall">("POST", "/api/calls/long/cancel");
  assert.deepEqual(body, { cancelled: false });
  const asked = served.send<"run">("POST", "/api/calls", {
    id: "asked",
    name: "shell",
    input: { command: "touch never" },
  });
  let isCancelled = false;
  while (!isCancelled)
    isCancelled = (await served.send<"cancelCall">("POST", "/api/calls/asked/cancel")).body.cancelled;
  assert.equal((await asked).status, 499);
  assert.ok(!existsSync(join(place.folder, "never")));
});

test("metrics count calls by tool, code and place, in the format of Prometheus", async () => {
  const headers = { authorization: `Bearer ${served.token}` };
  const { text, headers: answered } = await sendRaw(served.address, { path: "/metrics", headers });
  assert.match(String(answered["content-type"]), /^text\/plain; version=0\.0\.4/);
  assert.match(text, /^toolwright_calls_total\{tool="read_file",code="ok",place="host"\} \d+$/m);
  assert.match(text, /^toolwright_call_seconds_bucket\{tool="read_file",le="\+Inf"\} \d+$/m);
  for (const name of ["calls_queued", "approvals_pending", "journal_lag_seconds", "store_calls_total"])
    assert.match(text, new RegExp(`^toolwright_${name}(?:{.*})? [\\d.e-]+$`, "m"));
  for (const line of text.split("\n"))
    assert.match(line, /^(?:|# (?:HELP|TYPE) .*|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? [\d.e+-]+)$/);
});

test("trace of the command line has the calls of the server", async () => {
  const { stdout, code } = await runCli(place, ["trace", "--json", "--session", "paged"]);
  assert.deepEqual([code, stdout.trim().split("\n").length], [0, 5]);
});
