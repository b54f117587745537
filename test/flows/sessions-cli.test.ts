// Conversations that `toolwright run` keeps, as a person lists, reads, exports, forks, replays and deletes them.
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Entry, SessionInfo } from "../../src/agent/sessions/transcript.ts";
import { openTranscripts } from "../../src/agent/sessions/open-transcripts.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

const SCRIPT = [
  { text: "I look.", calls: [{ name: "read_file", input: { path: "a.txt" } }] },
  { calls: [{ name: "write_file", input: { path: "made.txt", content: "made\n" } }] },
  { text: "It says \u202Ehello." },
];

/** A place where one task was done. */
async function worked(t: TestContext): Promise<Place & { readonly id: string }> {
  const place = createPlace(t);
  place.write("script.jsonl", SCRIPT.map((line) => `${JSON.stringify(line)}\n`).join(""));
  place.write("a.txt", "hello\n# not a heading\n");
  const words = ["run", "Read a.txt and say it.", "--mode", "yolo", "-q", "--model", "scripted/script.jsonl"];
  const { code, stderr } = await runCli(place, words);
  assert.equal(code, 0, stderr);
  const [info] = await list(place);
  assert.ok(info);
  return { ...place, id: info.id };
}

async function list(place: Place, ...words: readonly string[]): Promise<readonly SessionInfo[]> {
  const { stdout, stderr } = await runCli(place, ["sessions", "list", "--json", ...words]);
  assert.equal(stderr, "");
  return JSON.parse(stdout) as readonly SessionInfo[];
}

test("listing sessions without any says so and creates nothing", async (t) => {
  const place = createPlace(t);
  const { code, stdout } = await runCli(place, ["sessions"]);
  assert.deepEqual([code, stdout], [0, "no sessions are stored for this workspace\n"]);
  assert.equal(existsSync(join(place.home, "state")), false);
  assert.equal((await runCli(place, ["sessions", "--all"])).stdout, "no sessions are stored\n");
  assert.equal((await runCli(place, ["replay", "x"])).code, 2);
});

test("a task is listed for its workspace, and everywhere with --all", async (t) => {
  const place = await worked(t);
  const { stdout } = await runCli(place, ["sessions"]);
  assert.match(
    stdout,
    new RegExp(`^${place.id.slice(0, 8)}\\S*  20\\S+ \\S+  done  3 turns  Read a\\.txt and say it\\.\n$`),
  );
  const elsewhere = { ...place, folder: place.home };
  assert.deepEqual(await list(elsewhere), []);
  assert.deepEqual(
    (await list(elsewhere, "--all")).map(({ id }) => id),
    [place.id],
  );
});

test("a listed prefix of an id finds its session, whatever other workspaces have", async (t) => {
  const place = createPlace(t);
  const store = await openStore({ folder: join(place.home, "state") });
  const transcripts = openTranscripts(store.collections);
  for (const [id, workspace] of [
    ["chat-12340000", place.folder],
    ["chat-12349999", place.home],
  ] as const) {
    await transcripts.open({ id, workspace, agent: { id, name: "a" }, model: "m" });
  }
  await store.close();
  const [short = ""] = (await runCli(place, ["sessions"])).stdout.split(" ");
  const { code, stdout } = await runCli(place, ["sessions", "show", short]);
  assert.equal(code, 0);
  assert.match(stdout, /chat-12340000/);
});

test("a session is shown by a prefix of its id, and control characters in it are escaped", async (t) => {
  const place = await worked(t);
  const { code, stdout } = await runCli(place, ["sessions", "show", place.id.slice(0, 6)]);
  assert.equal(code, 0);
  assert.match(stdout, /about +Read a\.txt and say it\.\n/);
  assert.match(stdout, /\d+ +person +Read a\.txt and say it\.\n/);
  assert.match(stdout, /→ +read_file \{"path":"a\.txt"\}\n/);
  assert.match(stdout, /agent +It says \\u\{202e\}hello\.\n/);
  assert.doesNotMatch(stdout, /\u202E/);
  const { stdout: json } = await runCli(place, ["sessions", "show", place.id, "--json"]);
  const read = JSON.parse(json) as { readonly info: SessionInfo; readonly entries: readonly Entry[] };
  assert.equal(read.info.id, place.id);
  assert.deepEqual(
    read.entries.map(({ seq }) => seq),
    read.entries.map((_, index) => index + 1),
  );
});

test("a session is listed and shown with secrets masked, which the store has", async (t) => {
  const place = createPlace(t);
  const token = `ghp_${"aB3dE6gH9j".repeat(3)}kL2mN5`;
  place.write("script.jsonl", `${JSON.stringify({ text: "Done." })}\n`);
  const words = ["run", `Use ${token}`, "--mode", "yolo", "-q", "--model", "scripted/script.jsonl"];
  await runCli(place, words);
  const [info] = await list(place);
  assert.ok(info);
  for (const shown of [["list"], ["list", "--json"], ["show", info.id], ["show", info.id, "--json"]]) {
    const { code, stdout } = await runCli(place, ["sessions", ...shown]);
    assert.equal(code, 0);
    assert.ok(stdout.includes("⟦masked⟧") && !stdout.includes(token), stdout);
  }
  const store = await openStore({ folder: join(place.home, "state") });
  t.after(() => store.close());
  assert.match(JSON.stringify(await openTranscripts(store.collections).entries(info.id)), new RegExp(token));
});

test("a session is exported as JSON and as Markdown, and never overwrites a file", async (t) => {
  const place = await worked(t);
  const { stdout } = await runCli(place, ["sessions", "export", place.id]);
  const whole = JSON.parse(stdout) as { readonly entries: readonly Entry[] };
  assert.ok(whole.entries.some(({ kind }) => kind === "message"));
  const words = ["sessions", "export", place.id, "--format", "markdown", "--output", "talk.md"];
  assert.equal((await runCli(place, words)).stdout, "wrote talk.md\n");
  const markdown = readFileSync(join(place.folder, "talk.md"), "utf8");
  assert.match(markdown, /^# Session\n/);
  assert.match(markdown, /## \d+\. Person\n\n> Read a\.txt and say it\.\n/);
  assert.equal(markdown.match(/^#+ .*not a heading/m), null);
  assert.equal(statSync(join(place.folder, "talk.md")).mode & 0o777, 0o600);
  const again = await runCli(place, words);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /cannot write talk\.md/);
  assert.equal(readFileSync(join(place.folder, "talk.md"), "utf8"), markdown);
});

test("a fork has the entries up to one, is independent, and names its origin", async (t) => {
  const place = await worked(t);
  const { stdout } = await runCli(place, ["sessions", "fork", place.id, "--at", "1", "--json"]);
  const forked = JSON.parse(stdout) as SessionInfo;
  assert.deepEqual(forked.forkedFrom, { session: place.id, seq: 1 });
  place.write("script.jsonl", `${JSON.stringify({ text: "Another way." })}\n`);
  const words = ["run", "Go on.", "--resume", forked.id, "-q", "--model", "scripted/script.jsonl"];
  const { code, stdout: said, stderr } = await runCli(place, words);
  assert.deepEqual([code, said], [0, "Another way.\n"], stderr);
  const { stdout: told } = await runCli(place, ["sessions", "fork", place.id]);
  assert.match(told, /^\S+\n.* run --resume \S+ "…"\n$/s);
  assert.equal((await list(place)).length, 3);
  for (const at of ["0", "x", "999"]) {
    assert.equal((await runCli(place, ["sessions", "fork", place.id, "--at", at])).code, 2);
  }
});

test("a replay shows the calls and the answer again, and has no effects", async (t) => {
  const place = await worked(t);
  writeFileSync(join(place.folder, "made.txt"), "changed since\n");
  const { code, stdout, stderr } = await runCli(place, ["replay", place.id.slice(0, 7)]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "It says \\u{202e}hello.\n");
  assert.match(
    stderr,
    /^> Read a\.txt and say it\.\n→ read_file path=a\.txt\n✓ read_file \d+ ms ok\n→ write_file /,
  );
  assert.match(stderr, /matches its recording\n$/);
  assert.equal(readFileSync(join(place.folder, "made.txt"), "utf8"), "changed since\n");
  assert.equal((await list(place)).length, 1);
  const json = await runCli(place, ["replay", place.id, "--json", "--speed", "1000"]);
  const lines = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(lines.at(-1), { type: "outcome", session: place.id, isSame: true, difference: null });
  assert.ok(lines.some(({ type }) => type === "call.answered"));
  assert.equal((await runCli(place, ["replay", place.id, "--speed", "0"])).code, 2);
});

test("a replay that differs from its recording says where, and exits 1", async (t) => {
  const place = createPlace(t);
  const store = await openStore({ folder: join(place.home, "state") });
  const transcripts = openTranscripts(store.collections);
  const identity = { id: "a", name: "Ada" };
  await transcripts.open({ id: "broken", agent: identity, workspace: place.folder, model: "fake/model" });
  const call = { id: "c1", name: "ls", input: {} };
  await transcripts.append("broken", {
    kind: "message",
    turn: 1,
    message: { role: "user", content: [{ type: "text", text: "Look." }] },
  });
  await transcripts.append("broken", {
    kind: "message",
    turn: 1,
    message: { role: "assistant", parts: [{ type: "call", call }] },
  });
  await transcripts.append("broken", {
    kind: "message",
    turn: 2,
    message: { role: "assistant", parts: [{ type: "text", text: "Seen." }] },
  });
  await store.close();
  const { code, stderr } = await runCli(place, ["replay", "broken"]);
  assert.equal(code, 1);
  assert.match(stderr, /the replay differs at entry 3: recorded a model answer; now ls is called\n$/);
  const json = await runCli(place, ["replay", "broken", "--json"]);
  assert.equal(json.code, 1);
  const last = JSON.parse(json.stdout.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
  assert.deepEqual(last["difference"], { seq: 3, recorded: "a model answer", now: "ls is called" });
});

test("a session is deleted by its id; unknown ids name the near ones", async (t) => {
  const place = await worked(t);
  const near = await runCli(place, ["sessions", "show", `${place.id}x`]);
  assert.equal(near.code, 2);
  assert.ok(near.stderr.includes(`did you mean ${place.id}?`), near.stderr);
  const forked = await runCli(place, ["sessions", "fork", place.id, "--json"]);
  assert.equal(forked.code, 0);
  const wrong: readonly (readonly string[])[] = [
    ["sessions", "shw"],
    ["sessions", "show"],
    ["sessions", "list", "x"],
    ["sessions", "show", "a", "b"],
    ["sessions", "show", place.id, "--at", "1"],
    ["sessions", "delete", place.id, "--json"],
    ["sessions", "show", ""],
    ["replay"],
    ["replay", place.id, "more"],
  ];
  for (const words of wrong) assert.equal((await runCli(place, words)).code, 2, words.join(" "));
  const { code, stdout } = await runCli(place, ["sessions", "delete", place.id]);
  assert.deepEqual([code, stdout], [0, `deleted ${place.id}\n`]);
  assert.equal((await list(place)).length, 1);
  assert.equal((await runCli(place, ["sessions", "delete", place.id])).code, 2);
});
