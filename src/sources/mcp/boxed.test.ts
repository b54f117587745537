import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { connectionOf } from "./connection/connection.ts";
import { SERVER_FILES, withoutBoxes } from "../../../test/support/sandboxes/boxes.ts";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { mcpEngine, rawServer, toolOf, until, type RawServer } from "../../../test/support/servers/mcp.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { Box } from "../../system/box/types.ts";
import type { StdioServer } from "./transport/server.ts";
import type { McpSource } from "./types/source-types.ts";

const SIGNAL = new AbortController().signal;
const skip = withoutBoxes;
const PATH = process.env["PATH"] ?? "";
const TOOLS = ["read", "write", "move", "dial", "processes", "env"].map((name) => toolOf(name));

interface Boxed {
  readonly engine: Engine;
  readonly source: McpSource;
  readonly raw: RawServer;
  readonly ask: (tool: string, input?: object) => Promise<string>;
}

/** The raw server in a sandbox that may write to its own folder and the given ones. */
async function boxed(
  t: TestContext,
  { workspace = [], ...more }: Partial<Box> = {},
  program: Partial<StdioServer> = {},
): Promise<Boxed> {
  const raw = rawServer(t, { tools: TOOLS });
  const box = { ...boxOf([raw.folder, ...workspace]), ...more };
  const { engine, source } = await mcpEngine(t, { server: { ...raw.server, ...program, box } });
  const ask = async (tool: string, input: object = {}): Promise<string> =>
    textOf(await engine.run(call(`raw__${tool}`, input)));
  return { engine, source, raw, ask };
}

function boxOf(workspace: readonly string[]): Box {
  return { path: PATH, workspace, readable: SERVER_FILES, hasNetwork: false };
}

async function listening(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("a sandboxed server works, and reads nothing outside its workspace", { skip }, async (t) => {
  const outside = temporaryFolder(t);
  const canary = join(outside, "canary");
  writeFileSync(canary, "tweet");
  const { ask, raw, engine } = await boxed(t);
  assert.deepEqual(engine.sources.problems(), []);
  assert.match(await ask("read", { path: canary }), /ENOENT/);
  assert.match(await ask("read", { path: "/etc/shadow" }), /ENOENT/);
  const own = join(raw.folder, "own");
  writeFileSync(own, "mine");
  assert.equal(await ask("read", { path: own }), "mine");
});

test("a sandboxed server with the root folder as its cwd sees no more of the disk", { skip }, async (t) => {
  const canary = join(temporaryFolder(t), "canary");
  writeFileSync(canary, "tweet");
  const { ask, engine } = await boxed(t, {}, { cwd: "/" });
  assert.deepEqual(engine.sources.problems(), []);
  assert.match(await ask("read", { path: canary }), /ENOENT/);
});

test("a sandboxed server writes to its workspace and nowhere else", { skip }, async (t) => {
  const { ask, raw } = await boxed(t);
  const inside = join(raw.folder, "made");
  assert.equal(await ask("write", { path: inside }), "ok");
  assert.equal(readFileSync(inside, "utf8"), "written");
  const outside = temporaryFolder(t);
  await ask("write", { path: join(outside, "made") });
  assert.equal(existsSync(join(outside, "made")), false);
  assert.match(await ask("write", { path: "/usr/made" }), /EROFS|EACCES/);
  assert.match(await ask("write", { path: SERVER_FILES[0] }), /EROFS|EACCES/);
  assert.equal(await ask("write", { path: "/tmp/made-in-a-box" }), "ok");
  assert.equal(existsSync("/tmp/made-in-a-box"), false);
});

test("files that would run outside the sandbox cannot be changed from inside", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, ".git", "hooks"), { recursive: true });
  for (const name of [".git/config", ".mcp.json"]) writeFileSync(join(folder, name), "{}");
  const { ask } = await boxed(t, { workspace: [folder] });
  // Git runs what its hooks and its config name, and takes another config where `commondir` says so.
  for (const name of [".git/hooks/pre-commit", ".git/config", ".git/commondir", ".mcp.json"])
    assert.match(await ask("write", { path: join(folder, name) }), /EROFS|EACCES/);
  assert.match(await ask("move", { from: join(folder, ".git"), to: join(folder, "old") }), /EBUSY/);
  assert.equal(await ask("write", { path: join(folder, ".gitignore") }), "ok");
});

const PROTECTED = [".git", ".toolwright", ".mcp.json"];

test(
  "nor can they be created from inside, and nothing is left of their placeholders",
  { skip },
  async (t) => {
    const folder = temporaryFolder(t);
    const [first, second] = [
      await boxed(t, { workspace: [folder] }),
      await boxed(t, { workspace: [folder] }),
    ];
    const attack = async ({ ask }: Boxed): Promise<void> => {
      for (const name of PROTECTED) {
        const [file, path] = [join(folder, "file"), join(folder, name)];
        mkdirSync(join(folder, "made/hooks"), { recursive: true });
        writeFileSync(file, "x");
        for (const from of [join(folder, "made"), file])
          assert.match(
            await ask("move", { from, to: path }),
            /EBUSY|ENOTDIR|EISDIR|EXDEV/,
            `${from} became ${path}`,
          );
        assert.match(await ask("write", { path }), /EROFS|EISDIR|EACCES/);
        assert.match(await ask("write", { path: join(path, "config") }), /EROFS|EACCES|ENOTDIR/);
        assert.match(await ask("move", { from: path, to: join(folder, "old") }), /EBUSY/);
      }
    };
    await attack(first);
    await first.source.close?.();
    await attack(second);
    await second.source.close?.();
    assert.deepEqual(readdirSync(folder).toSorted(), ["file", "made"]);
  },
);

test("what the user puts into a placeholder stays", { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const { source } = await boxed(t, { workspace: [folder] });
  writeFileSync(join(folder, ".git/config"), "mine");
  writeFileSync(join(folder, ".mcp.json"), '{ "mcpServers": { "a": {} } }');
  await source.close?.();
  assert.deepEqual(readdirSync(folder).toSorted(), [".git", ".mcp.json"]);
});

test(
  "a link in the place of a protected name refuses the sandbox, and the server is not started",
  { skip },
  async (t) => {
    for (const name of PROTECTED) {
      const folder = temporaryFolder(t);
      symlinkSync(join(folder, "elsewhere"), join(folder, name));
      const { engine, raw } = await boxed(t, { workspace: [folder] });
      const [problem] = engine.sources.problems();
      assert.ok(problem?.message.includes(`${join(folder, name)} is a link`), problem?.message);
      assert.deepEqual(raw.diary(), []);
    }
  },
);

test(
  "a server in a box reaches no port of this machine, unless it may use the network",
  { skip },
  async (t) => {
    const port = await listening(t);
    const alone = await boxed(t);
    assert.match(await alone.ask("dial", { port }), /ECONNREFUSED|ENETUNREACH/);
    const connected = await boxed(t, { hasNetwork: true });
    assert.equal(await connected.ask("dial", { port }), "connected");
  },
);

test(
  "a server in a box sees its own processes only, an environment that was given, and a /tmp of its own",
  { skip },
  async (t) => {
    const { ask } = await boxed(t);
    assert.ok(Number(await ask("processes")) <= 3);
    const seen = JSON.parse(await ask("env")) as Readonly<Record<string, string>>;
    assert.equal(seen["TMPDIR"], "/tmp");
    assert.equal(seen["NODE_TEST_CONTEXT"], undefined);
  },
);

test("a sandboxed server ends when its source is closed", { skip }, async (t) => {
  const { source } = await boxed(t);
  const connection = await connectionOf(source, SIGNAL);
  const { pid } = connection.client.transport as unknown as { readonly pid: number };
  assert.equal(isRunning(pid), true);
  await source.close?.();
  assert.equal(isRunning(pid), false);
});

test("a sandboxed server ends when the process that started it is killed", { skip }, async (t) => {
  const raw = rawServer(t, { tools: TOOLS });
  const server = { ...raw.server, box: boxOf([raw.folder]) };
  const script = `
    import { createMcpSource } from ${JSON.stringify(new URL("source.ts", import.meta.url).href)};
    const source = createMcpSource({ name: "raw", server: ${JSON.stringify(server)} });
    const { client } = await source.connection(new AbortController().signal);
    console.log(client.transport.pid);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  assert.equal(isRunning(pid), true);
  child.kill("SIGKILL");
  await until(() => !isRunning(pid), "the box is gone");
});

for (const [how, what, path] of [
  ["is missing", "is not installed", "/nowhere"],
  ["is blocked", "does not work here: bwrap: blocked", undefined],
] as const) {
  test(`if bubblewrap ${how} the server is UNAVAILABLE with the reason, and is never started`, async (t) => {
    const fake = temporaryFolder(t);
    writeFileSync(join(fake, "bwrap"), "#!/bin/sh\necho bwrap: blocked >&2\nexit 1\n", { mode: 0o755 });
    const { engine, source, raw } = await boxed(t, { path: path ?? fake });
    const [problem] = engine.sources.problems();
    assert.ok(problem?.message.includes(`bubblewrap ${what}`), problem?.message);
    assert.ok((problem?.hint ?? "").length > 20);
    await assert.rejects(source.connection(SIGNAL), { code: "UNAVAILABLE" });
    assert.deepEqual(raw.diary(), []);
    assert.equal(codeOf(await engine.run(call("raw__env"))), "TOOL_NOT_FOUND");
  });
}
