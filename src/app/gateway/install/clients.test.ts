import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENTS, entryOf } from "./clients.ts";

const FILES: readonly (readonly [string, NodeJS.Platform, string])[] = [
  ["claude-desktop", "darwin", "/h/Library/Application Support/Claude/claude_desktop_config.json"],
  ["claude-desktop", "linux", "/h/.config/Claude/claude_desktop_config.json"],
  ["claude-desktop", "win32", "C:\\data\\Claude\\claude_desktop_config.json"],
  ["vscode", "darwin", "/h/Library/Application Support/Code/User/mcp.json"],
  ["vscode", "win32", "C:\\data\\Code\\User\\mcp.json"],
  ["zed", "darwin", "/h/.config/zed/settings.json"],
  ["zed", "win32", "C:\\data\\Zed\\settings.json"],
  ["cursor", "linux", "/h/.cursor/mcp.json"],
  ["codex", "linux", "/h/.codex/config.toml"],
  ["opencode", "linux", "/h/.config/opencode/opencode.json"],
  ["qwen", "linux", "/h/.qwen/settings.json"],
  ["copilot", "darwin", "/h/.copilot/mcp-config.json"],
  ["cline", "linux", "/h/.cline/data/settings/cline_mcp_settings.json"],
];

for (const [name, platform, file] of FILES)
  test(`the settings of ${name} on ${platform} are in ${file}`, () => {
    const variables = platform === "win32" ? { APPDATA: "C:\\data" } : {};
    const userHome = platform === "win32" ? "C:\\h" : "/h";
    assert.equal(CLIENTS[name]?.file({ platform, userHome, variables }), file);
  });

test("every client supports stdio, and all but one HTTP with a token", () => {
  const without = Object.entries(CLIENTS).flatMap(([name, client]) => {
    assert.ok(entryOf(client, { kind: "stdio", command: "c", args: [] }), name);
    const entry = entryOf(client, { kind: "http", url: "http://127.0.0.1:1/mcp", token: "T" });
    if (entry === undefined) return [name];
    assert.match(JSON.stringify(entry), /http:\/\/127\.0\.0\.1:1\/mcp.*Bearer T/);
    return [];
  });
  assert.deepEqual(without, ["claude-desktop"]);
});
