import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { createEngine } from "../../engine/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { toDecision } from "./decision.ts";
import { engineTools } from "./engine-tools.ts";
import { loadPeer } from "./load-peer.ts";
import { toModelOutput } from "./model-output.ts";

const PING = defineTool({ name: "net.ping", description: "Pings.", risk: "high", run: () => "pong" });
const READ = defineTool({ name: "read", description: "Reads.", risk: "low", run: () => "text" });

test("tools have names that providers accept, and a call by such a name finds its tool", async () => {
  const [ping] = engineTools(createEngine({ mode: "yolo", tools: [PING] }), {});
  assert.equal(ping?.name, "net_ping");
  assert.deepEqual(await ping?.run("1", {}, {}), { ok: true, content: [{ type: "text", text: "pong" }] });
});

test("only the named tools are given, and an unknown name is refused with the known ones", () => {
  const engine = createEngine({ tools: [PING, READ] });
  assert.deepEqual(
    engineTools(engine, { only: ["read"] }).map(({ name }) => name),
    ["read"],
  );
  assert.throws(
    () => engineTools(engine, { only: ["raed"] }),
    (error) => error instanceof ToolError && error.hint === "use net.ping, read",
  );
});

test("a person is asked through the SDK only about calls that need approval, and not if the engine's approver decides", async () => {
  const engine = createEngine({ tools: [PING, READ] });
  const [ping, read] = engineTools(engine, {});
  assert.equal((await ping?.request("1", {}))?.tool, "net.ping");
  assert.equal(await read?.request("1", {}), undefined);
  const [own] = engineTools(engine, { approvals: "engine" });
  assert.equal(await own?.request("1", {}), undefined);
  const denied = await own?.run("1", {}, {});
  assert.ok(denied?.ok === false && denied.error.code === "DENIED");
  assert.deepEqual(toModelOutput(denied).type, "error-text");
});

test("a decision is read from any value: only `approved: true` approves", () => {
  const once = { approved: true, scope: "once" };
  const table: readonly (readonly [unknown, object])[] = [
    [{ approved: true }, once],
    [
      { approved: true, scope: "session" },
      { ...once, scope: "session" },
    ],
    [
      { approved: true, scope: "forever", input: { a: 1 }, offer: 2 },
      { ...once, input: { a: 1 }, offer: 2 },
    ],
    [
      { approved: false, reason: "no" },
      { approved: false, declined: true, reason: "no" },
    ],
    [{ approved: "true" }, { approved: false, declined: true, reason: "" }],
    [true, { approved: false, declined: true, reason: "" }],
    [undefined, { approved: false, declined: true, reason: "" }],
  ];
  for (const [value, decision] of table) assert.deepEqual(toDecision(value), decision);
});

test("files that models do not take are named in the text", () => {
  const file = { type: "file", data: "", mimeType: "application/zip", name: "a.zip" } as const;
  const pdf = { type: "file", data: "cGRm", mimeType: "application/pdf" } as const;
  assert.deepEqual(toModelOutput({ ok: true, content: [file, pdf] }), {
    type: "content",
    value: [
      { type: "text", text: "[file a.zip, application/zip: cannot be shown here]" },
      { type: "file-data", data: "cGRm", mediaType: "application/pdf", filename: "file.pdf" },
    ],
  });
});

test("a package that is not installed is an error with the command that installs it", async () => {
  const name: string = "no-such-sdk";
  await assert.rejects(
    loadPeer(name, () => import(name)),
    (error) =>
      error instanceof ToolError && error.hint === "install it beside toolwright: npm install no-such-sdk",
  );
});
