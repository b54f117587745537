import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { CLIENTS } from "../../src/app/gateway/install/clients.ts";
import { LAUNCHER, createPlace, runCli, type Place } from "./support/cli.ts";
import { connectMcp } from "./support/mcp-client.ts";

type Entry = { readonly command: string | readonly string[]; readonly args: readonly string[] };

function fileOf(client: string, { home }: Place): string {
  return CLIENTS[client]!.file({ platform: process.platform, userHome: home, variables: {} });
}

function readJson(file: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return JSON.parse(readFileSync(file, "utf8")) as never;
}

/** Entries with equally many arguments start the same gateway. */
const tried = new Set<number>();

for (const [name, client] of Object.entries(CLIENTS).filter(([, { format }]) => format === "json")) {
  test(`the entry for ${name} starts the gateway, and the rest of its file stays`, async (t) => {
    const place = createPlace(t);
    const printed = await runCli(place, ["mcp", "install", name]);
    assert.equal(printed.code, 0, printed.stderr);
    const file = fileOf(name, place);
    assert.match(printed.stderr, new RegExp(`add this to .*${name === "continue" ? "toolwright" : ""}`));
    assert.equal(existsSync(file), false, "printing writes nothing");
    const before = { theme: "dark", big: 1, [client.key]: { other: { command: "x", args: [] } } };
    const text = JSON.stringify(before, undefined, 4).replace(
      '"big": 1',
      '"big": 123456789012345678901234567890',
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const written = await runCli(place, ["mcp", "install", name, "--write"]);
    assert.equal(written.code, 0, written.stderr);
    assert.equal(readFileSync(`${file}.before-toolwright`, "utf8"), text);
    const after = readJson(file);
    assert.match(readFileSync(file, "utf8"), /\n {4}"big": 123456789012345678901234567890,/);
    assert.equal(after["theme"], "dark");
    assert.deepEqual(after[client.key]?.["other"], { command: "x", args: [] });
    const entry = after[client.key]?.["toolwright"] as Entry;
    assert.deepEqual(entry, JSON.parse(printed.stdout)[client.key].toolwright);
    const started = [entry.command, ...(entry.args ?? [])].flat();
    assert.deepEqual(started.slice(0, 3), [process.execPath, LAUNCHER, "mcp"]);
    const args = started.slice(3).map((one) => one.replace("${workspaceFolder}", place.folder));
    if (!tried.has(args.length)) {
      tried.add(args.length);
      const { client: connected } = await connectMcp(t, place, { args });
      assert.ok((await connected.listTools()).tools.length > 0);
    }
    const again = await runCli(place, ["mcp", "install", name, "--write"]);
    assert.equal(again.code, 0);
    assert.deepEqual(readJson(file), after, "a second time changes nothing");
    const removed = await runCli(place, ["mcp", "uninstall", name]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.match(removed.stdout, /removed toolwright from .*; backup of the old file: /);
    assert.deepEqual(readJson(file), JSON.parse(text), "only the entry is removed");
    const none = await runCli(place, ["mcp", "uninstall", name]);
    assert.deepEqual([none.code, /has no entry toolwright/.test(none.stdout)], [0, true]);
  });
}

test("a client that does not start servers in the project gets the folder", async (t) => {
  const place = createPlace(t);
  const argsOf = async (...more: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await runCli(place, ["mcp", "install", ...more]);
    return (JSON.parse(stdout) as { mcpServers: { toolwright: Entry } }).mcpServers.toolwright.args;
  };
  assert.deepEqual((await argsOf("claude-desktop")).slice(1), ["mcp", "--folder", place.folder]);
  assert.deepEqual((await argsOf("claude-code")).slice(1), ["mcp"]);
  assert.deepEqual((await argsOf("cursor", "--mode", "plan", "--folder", "/")).slice(1), [
    "mcp",
    "--mode",
    "plan",
    "--folder",
    "/",
  ]);
});

test("every write of the entry makes a backup of the file before it", async (t) => {
  const place = createPlace(t);
  const file = fileOf("cursor", place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{"mine": 1}');
  const texts = [readFileSync(file, "utf8")];
  for (const mode of ["plan", "ask", "auto"]) {
    const { code, stdout, stderr } = await runCli(place, [
      "mcp",
      "install",
      "cursor",
      "--write",
      "--mode",
      mode,
    ]);
    assert.equal(code, 0, stderr);
    const [, backup = ""] = /backup of the old file: (.*)$/m.exec(stdout) ?? [];
    assert.equal(readFileSync(backup, "utf8"), texts.at(-1), "each backup has the file as it was");
    texts.push(readFileSync(file, "utf8"));
  }
  assert.equal(readFileSync(`${file}.before-toolwright`, "utf8"), '{"mine": 1}');
  const again = await runCli(place, ["mcp", "install", "cursor", "--write", "--mode", "auto"]);
  assert.doesNotMatch(again.stdout, /backup of the old file/, "nothing has changed");
});

test("a file with comments and trailing commas keeps them", async (t) => {
  const place = createPlace(t);
  const file = fileOf("zed", place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{\n  // a comment\n  "a": 1,\n}\n');
  assert.equal((await runCli(place, ["mcp", "install", "zed", "--write"])).code, 0);
  assert.match(readFileSync(file, "utf8"), /^\{\n {2}\/\/ a comment\n {2}"a": 1,\n {2}"context_servers": \{/);
});

test("a file that is not JSON, or has no place for the entry, is refused and left unchanged", async (t) => {
  const place = createPlace(t);
  const file = fileOf("zed", place);
  mkdirSync(dirname(file), { recursive: true });
  for (const text of ["{ // a comment", '{"a": 1 "b": 2}', "[]", '{"context_servers": []}', "nonsense"]) {
    writeFileSync(file, text);
    const { code, stderr } = await runCli(place, ["mcp", "install", "zed", "--write"]);
    assert.equal(code, 2, text);
    assert.match(stderr, /cannot be merged into[\s\S]*was not changed/);
    assert.equal(readFileSync(file, "utf8"), text);
    assert.equal(existsSync(`${file}.before-toolwright`), false);
  }
});

test("a link stays a link, and a private file stays private", async (t) => {
  const place = createPlace(t);
  const file = fileOf("cursor", place);
  mkdirSync(dirname(file), { recursive: true });
  const target = join(place.home, "dotfiles.json");
  writeFileSync(target, "{}");
  chmodSync(target, 0o640);
  symlinkSync(target, file);
  assert.equal((await runCli(place, ["mcp", "install", "cursor", "--write"])).code, 0);
  assert.ok(readJson(target)["mcpServers"]?.["toolwright"]);
  assert.equal(readFileSync(file, "utf8"), readFileSync(target, "utf8"));
  assert.equal(statSync(target).mode & 0o777, 0o640);
});

test("codex gets a table at the end of its file, once", async (t) => {
  const place = createPlace(t);
  const file = fileOf("codex", place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'model = "x"\n\n[mcp_servers.other]\ncommand = "y"');
  assert.equal((await runCli(place, ["mcp", "install", "codex", "--write"])).code, 0);
  const text = readFileSync(file, "utf8");
  assert.ok(
    text.startsWith(
      'model = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers.toolwright]\ncommand = ',
    ),
  );
  assert.equal((await runCli(place, ["mcp", "install", "codex", "--write"])).code, 0);
  assert.equal(readFileSync(file, "utf8"), text, "a second time changes nothing");
  assert.equal((await runCli(place, ["mcp", "uninstall", "codex", "--write"])).code, 0);
  assert.ok(!readFileSync(file, "utf8").includes("toolwright"));
});

test("with --project the entry is in the file of the project, and starts toolwright from the PATH", async (t) => {
  const place = createPlace(t);
  for (const [name, client] of Object.entries(CLIENTS)) {
    const { code, stderr } = await runCli(place, ["mcp", "install", name, "--project", "--write"]);
    if (client.projectFile === undefined) {
      assert.equal(code, 2);
      assert.match(stderr, /reads no file of a project/);
      continue;
    }
    assert.equal(code, 0, stderr);
    const file = join(place.folder, client.projectFile);
    const text = readFileSync(file, "utf8");
    assert.match(
      text,
      client.format === "toml" ? /command = "toolwright"/ : /"command": (?:\[\s*)?"toolwright"/,
    );
    assert.ok(!text.includes(place.folder), "nothing of this machine");
    assert.equal((await runCli(place, ["mcp", "uninstall", name, "--project"])).code, 0);
    assert.ok(!readFileSync(file, "utf8").includes('"toolwright"'), text);
  }
  const http = await runCli(place, ["mcp", "install", "cursor", "--project", "--http", "7421"]);
  assert.deepEqual([http.code, /would contain your token/.test(http.stderr)], [2, true]);
});

test("the help of install lists the clients", async (t) => {
  const { stdout } = await runCli(createPlace(t), ["mcp", "install", "--help"]);
  for (const name of Object.keys(CLIENTS))
    assert.ok(stdout.replaceAll(/\s+/g, " ").includes(` ${name}`), name);
});

test("over HTTP a client gets the address and the token that the server needs", async (t) => {
  const place = createPlace(t);
  const { stdout } = await runCli(place, ["mcp", "install", "vscode", "--http", "7421"]);
  const token = readFileSync(join(place.home, "http-token"), "utf8").trim();
  assert.deepEqual(JSON.parse(stdout), {
    servers: {
      toolwright: {
        type: "http",
        url: "http://127.0.0.1:7421/mcp",
        headers: { Authorization: `Bearer ${token}` },
      },
    },
  });
  const refused = await runCli(place, ["mcp", "install", "claude-desktop", "--http", "7421"]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /without --http/);
});

for (const port of ["abc", "70000", "0", "-1"])
  test(`${port} is not a port that a client can use`, async (t) => {
    const { code, stdout } = await runCli(createPlace(t), ["mcp", "install", "cursor", `--http=${port}`]);
    assert.deepEqual([code, stdout], [2, ""]);
  });

test("an unknown client is refused with the list of known ones", async (t) => {
  const place = createPlace(t);
  const { code, stderr } = await runCli(place, ["mcp", "install", "curser"]);
  assert.equal(code, 2);
  assert.match(stderr, /did you mean.*cursor/);
  assert.equal((await runCli(place, ["mcp", "install"])).code, 2);
  assert.equal((await runCli(place, ["mcp", "instal"])).code, 2);
  assert.equal((await runCli(place, ["mcp", "--write"])).code, 2);
});
