// Servers that are still starting when an agent's first request is made.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { rawServer, toolOf, type RawServer } from "../support/servers/mcp.ts";
import type { ServerPlan } from "../support/servers/mcp-server.ts";
import { withoutTmux } from "../support/programs/terminal.ts";
import { openEditor, text } from "./support/acp.ts";
import { runCli, type Place } from "./support/cli.ts";
import { createReplPlace, openRepl, type ReplPlace } from "./support/repl.ts";

const MODEL = ["--model", "scripted/story.jsonl", "--mode", "yolo"];
const LATE = /still loading.*mcp:raw/;

/** A place whose user has one server, `raw`. */
function withServer(
  t: TestContext,
  plan: ServerPlan,
): { readonly place: ReplPlace; readonly raw: RawServer } {
  const place = createReplPlace(t, [
    { calls: [{ name: "raw__echo", input: { text: "hello" } }] },
    { text: "Said." },
  ]);
  const raw = rawServer(t, plan);
  const { command, args } = raw.server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  return { place, raw };
}

async function useOnce(place: Place): Promise<void> {
  assert.equal((await runCli(place, ["call", "raw__echo", "text=a", "--yes"])).code, 0);
}

test("a server that still starts offers the tools of its last time, and a call waits for it", async (t) => {
  const { place, raw } = withServer(t, { tools: [toolOf("echo")] });
  await useOnce(place);
  raw.plan({ tools: [toolOf("echo")], start: "wait" });
  const running = runCli(place, ["run", "Say hello.", ...MODEL]);
  // The model has called the tool of a server that has not answered anything yet.
  await raw.told("waiting");
  raw.plan({ tools: [toolOf("echo")] });
  const { code, stdout, stderr } = await running;
  assert.deepEqual([code, stdout], [0, "Said.\n"], stderr);
  assert.match(stderr, /✓ raw__echo/);
  assert.doesNotMatch(stderr, LATE);
});

test("run, which never had the server's tools, prints that the request is without them", async (t) => {
  const { place } = withServer(t, { start: "hang" });
  writeFileSync(join(place.folder, "story.jsonl"), '{"text": "Hi."}\n');
  const { stdout, stderr } = await runCli(place, ["run", "Hello.", ...MODEL]);
  assert.equal(stdout, "Hi.\n");
  assert.match(stderr, LATE);
});

test("run warns of a server that could not be started", async (t) => {
  const place = createReplPlace(t, [{ text: "Hi." }]);
  const config = { mcpServers: { gone: { command: "/no/such/program" } } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify(config));
  const { code, stdout, stderr } = await runCli(place, ["run", "Hello.", ...MODEL]);
  assert.deepEqual([code, stdout], [0, "Hi.\n"]);
  assert.match(stderr, /without the tools of gone: .*no such program; see toolwright tools --problems/);
  const quiet = await runCli(place, ["run", "Hello.", ...MODEL, "--quiet"]);
  assert.doesNotMatch(quiet.stderr, /gone/);
});

test("an editor is told which tools the request lacks", async (t) => {
  const { place } = withServer(t, { start: "hang" });
  writeFileSync(join(place.folder, "story.jsonl"), '{"text": "Hi."}\n');
  const { agent, updates } = await openEditor(t, place);
  const { sessionId } = await agent.request("session/new", { cwd: place.folder, mcpServers: [] });
  await agent.request("session/prompt", { sessionId, prompt: text("Hello.") });
  assert.match(JSON.stringify(updates), LATE);
});

test("the REPL shows which tools the request lacks", { skip: withoutTmux }, async (t) => {
  const { place } = withServer(t, { start: "hang" });
  writeFileSync(join(place.folder, "story.jsonl"), '{"text": "Hi there."}\n');
  const terminal = await openRepl(t, place);
  await terminal.waitFor("ready");
  await terminal.type("hello");
  await terminal.press("Enter");
  const screen = await terminal.waitFor("Hi there.");
  assert.match(screen, LATE);
});
