import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createPlace, runCli, type Place } from "./support/cli.ts";

/** The files of clients, in the forms that their documentation shows. */
const FILES: Readonly<Record<string, readonly [string, string]>> = {
  "claude-desktop": [
    ".config/Claude/claude_desktop_config.json",
    '{"mcpServers": {"My Files": {"command": "npx", "args": ["-y", "files"]}}}',
  ],
  "claude-code": [
    ".claude.json",
    '{"numStartups": 3, "mcpServers": {"cc": {"type": "http", "url": "https://cc.example/mcp", "headers": {"A": "b"}}}}',
  ],
  cursor: [
    ".cursor/mcp.json",
    '{"mcpServers": {"one": {"command": "one", "env": {"K": "v"}}, "two": {"url": "https://two.example/mcp"}}}',
  ],
  vscode: [
    ".config/Code/User/mcp.json",
    '{\n  // servers\n  "servers": {"code": {"type": "stdio", "command": "code-mcp"}}, "inputs": []\n}',
  ],
  windsurf: [
    ".codeium/windsurf/mcp_config.json",
    '{"mcpServers": {"surf": {"serverUrl": "https://surf.example/mcp"}}}',
  ],
  zed: [
    ".config/zed/settings.json",
    '{"theme": "One", "context_servers": {"zed": {"command": {"path": "zed-mcp", "args": ["x"], "env": {"Z": "1"}}}, "ext": {"settings": {}}}}',
  ],
  codex: [
    ".codex/config.toml",
    'model = "m"\n\n[mcp_servers.dex]\ncommand = "dex"\nargs = ["a"]\nenv = { "D" = "1" }\n\n[mcp_servers.web]\nurl = "https://web.example/mcp"\nbearer_token_env_var = "WEB"\n',
  ],
  "gemini-cli": [".gemini/settings.json", '{"mcpServers": {"gem": {"httpUrl": "https://gem.example/mcp"}}}'],
  opencode: [
    ".config/opencode/opencode.jsonc",
    '{"mcp": {"oc": {"type": "local", "command": ["oc", "serve"], "environment": {"O": "1"}, "enabled": false}}}',
  ],
};

function placeWithClients(t: TestContext): Place {
  const place = createPlace(t);
  for (const [file, text] of Object.values(FILES)) {
    mkdirSync(dirname(join(place.home, file)), { recursive: true });
    writeFileSync(join(place.home, file), text);
  }
  return place;
}

const serversOf = ({ home }: Place): unknown =>
  (JSON.parse(readFileSync(join(home, "config.json"), "utf8")) as { mcpServers?: unknown }).mcpServers;

test("the servers of every client are listed, and added in the form of ours", async (t) => {
  const place = placeWithClients(t);
  const { stdout } = await runCli(place, ["mcp", "import"]);
  for (const line of [
    "claude-desktop +My Files +npx -y files",
    "cursor +two +https://two\\.example/mcp",
    "zed +zed +zed-mcp x",
    "opencode +oc +oc serve",
  ])
    assert.match(stdout, new RegExp(`^${line}`, "m"));
  for (const client of Object.keys(FILES)) {
    const { code, stderr } = await runCli(place, ["mcp", "import", client], { environment: { WEB: "x" } });
    assert.equal(code, client === "codex" ? 1 : 0, `${client} ${stderr}`);
  }
  assert.deepEqual(serversOf(place), {
    "My-Files": { command: "npx", args: ["-y", "files"] },
    cc: { url: "https://cc.example/mcp", headers: { A: "b" } },
    one: { command: "one", env: { K: "v" } },
    two: { url: "https://two.example/mcp" },
    code: { command: "code-mcp" },
    surf: { url: "https://surf.example/mcp" },
    zed: { command: "zed-mcp", args: ["x"], env: { Z: "1" } },
    dex: { command: "dex", args: ["a"], env: { D: "1" } },
    gem: { url: "https://gem.example/mcp" },
    oc: { command: "oc", args: ["serve"], env: { O: "1" }, disabled: true },
  });
});

test("--replace leaves only the gateway in the client's file, and restore puts the file back", async (t) => {
  for (const client of ["cursor", "codex", "vscode", "zed", "opencode"]) {
    const place = placeWithClients(t);
    writeFileSync(join(place.home, "config.json"), '{"environment": ["WEB"]}');
    const [name = "", before = ""] = FILES[client] ?? [];
    const file = join(place.home, name);
    const replaced = await runCli(place, ["mcp", "import", client, "--replace"], {
      environment: { WEB: "x" },
    });
    assert.equal(replaced.code, 0, replaced.stderr);
    assert.match(replaced.stdout, new RegExp(`To undo it: toolwright mcp restore ${client}`));
    const after = readFileSync(file, "utf8");
    assert.match(after, /toolwright/);
    assert.doesNotMatch(after, /"one"|two\.example|mcp_servers\.(?:dex|web)|code-mcp|zed-mcp|"oc"/);
    const restored = await runCli(place, ["mcp", "restore", client]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(readFileSync(file, "utf8"), before);
  }
});

test("Claude Code's servers of this folder are taken before those of all folders, and those of other folders are only listed", async (t) => {
  const place = createPlace(t);
  const file = join(place.home, ".claude.json");
  const elsewhere = { allowedTools: [], mcpServers: { far: { command: "far" } } };
  const config = {
    projects: {
      "/elsewhere": elsewhere,
      [place.folder]: {
        allowedTools: [],
        mcpServers: { near: { type: "stdio", command: "near", args: ["x"] }, both: { command: "here" } },
      },
      "/empty": {},
    },
    mcpServers: { everywhere: { command: "all" }, both: { command: "general" } },
  };
  const before = JSON.stringify(config, undefined, 2) + "\n";
  writeFileSync(file, before);
  const { stdout } = await runCli(place, ["mcp", "import"]);
  assert.match(stdout, /^claude-code +far +far \(only in \/elsewhere\)$/m);
  assert.ok(stdout.includes(`near x (only in ${place.folder})`), stdout);
  assert.match(stdout, /^claude-code +everywhere +all$/m);
  const other = await runCli(place, ["mcp", "import", "claude-code", "far"]);
  assert.equal(other.code, 2);
  assert.match(other.stderr, /, for the folder .*, has no server "far"/);
  const replaced = await runCli(place, ["mcp", "import", "claude-code", "--replace"]);
  assert.equal(replaced.code, 1, replaced.stderr);
  assert.match(replaced.stdout, /both: not added: .* has another server of that name/);
  assert.deepEqual(serversOf(place), {
    near: { command: "near", args: ["x"] },
    both: { command: "here" },
    everywhere: { command: "all" },
  });
  const after = JSON.parse(readFileSync(file, "utf8")) as typeof config;
  assert.deepEqual(after.projects, {
    "/elsewhere": elsewhere,
    [place.folder]: { allowedTools: [] },
    "/empty": {},
  });
  assert.deepEqual(Object.keys(after.mcpServers), ["both", "toolwright"]);
  const restored = await runCli(place, ["mcp", "restore", "claude-code"]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(readFileSync(file, "utf8"), before);
});

test("a server of your own stays, single servers are chosen by name, and mistakes say what to do", async (t) => {
  const place = placeWithClients(t);
  writeFileSync(join(place.home, "config.json"), '{"mcpServers": {"one": {"command": "mine"}}}');
  const chosen = await runCli(place, ["mcp", "import", "cursor", "two"]);
  assert.equal(chosen.code, 0, chosen.stderr);
  const all = await runCli(place, ["mcp", "import", "cursor", "--replace"]);
  assert.equal(all.code, 1);
  assert.match(all.stdout, /one: not added: .* has another server of that name/);
  assert.deepEqual(serversOf(place), { one: { command: "mine" }, two: { url: "https://two.example/mcp" } });
  const left = readFileSync(join(place.home, ".cursor/mcp.json"), "utf8");
  assert.match(left, /"one"/);
  assert.doesNotMatch(left, /two\.example/);
  const mistakes: readonly (readonly [string, RegExp])[] = [
    ["import nano", /unknown client "nano"/],
    ["import cursor three", /has no server "three"/],
    ["import qwen", /has no file/],
    ["import --replace", /--replace needs a client/],
    ["restore windsurf", /there is no copy/],
    ["list --replace", /--replace cannot be used/],
  ];
  for (const [line, message] of mistakes) {
    const { code, stderr } = await runCli(place, ["mcp", ...line.split(" ")]);
    assert.equal(code, 2, line);
    assert.match(stderr, message, line);
  }
});

test("an entry without a program is skipped, whatever its arguments are", async (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.home, ".cursor"));
  const servers = {
    none: { command: null, args: ["evil"] },
    lost: { args: ["evil"] },
    one: { command: "one" },
  };
  writeFileSync(join(place.home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: servers }));
  await runCli(place, ["mcp", "import", "cursor"]);
  assert.deepEqual(serversOf(place), { one: { command: "one" } });
});

test("a client's file that cannot be parsed is listed with the reason", async (t) => {
  const place = placeWithClients(t);
  writeFileSync(join(place.home, ".codex/config.toml"), "a = [");
  writeFileSync(join(place.home, ".cursor/mcp.json"), "{");
  const { stdout } = await runCli(place, ["mcp", "import"]);
  assert.match(stdout, /^codex +\S+config\.toml is not TOML: Invalid TOML document/m);
  assert.match(stdout, /^cursor +\S+mcp\.json:1:2: not valid JSON/m);
});
