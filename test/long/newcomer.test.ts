// A newcomer follows README.md: in an empty home, with the packed package, on a terminal, command after command.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { npm, pack } from "../../scripts/package/install-packed.ts";
import { until } from "../flows/support/cli.ts";
import { ON_A_TERMINAL, skipTerminal } from "../flows/support/on-terminal.ts";
import { startOllama } from "../support/servers/ollama-server.ts";
import { readmeCommands } from "../support/examples/readme-commands.ts";

/** What the newcomer types, and after which text. */
const TYPED: Readonly<Record<string, readonly (readonly [after: string, keys: string])[]>> = {
  "toolwright call shell 'touch hello.txt'": [["tells why not): ", "y\r"]],
  "toolwright init": [
    ["or none: ", "\r"],
    ["(Enter: auto", "\r"],
    ["(Enter: no): ", "y\r"],
    ["(Enter: none): ", "\r"],
  ],
  toolwright: [["ready", "/exit\r"]],
};

test(
  "every step of README.md works for a newcomer with the installed package",
  { skip: skipTerminal },
  async (t) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-newcomer-")));
    t.after(() => rmSync(root, { recursive: true, force: true }));
    const [home, folder] = [join(root, "home"), join(root, "work")];
    for (const one of [home, folder]) mkdirSync(one);
    const tarball = pack(root);
    const { variables } = await startOllama(t);
    const prefix = join(home, "npm");
    const PATH = `${join(prefix, "bin")}:${process.env["PATH"] ?? ""}`;
    const env = { ...variables, HOME: home, TERM: "xterm-256color", PATH };
    const run = async (command: string): Promise<string> => {
      const [program, ...rest] = [...ON_A_TERMINAL, "sh", "-c", command];
      const child = spawn(program, rest, { cwd: folder, env });
      let shown = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (shown += text));
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
      for (const [after, keys] of TYPED[command] ?? []) {
        await until(`${command}: ${after}`, () => shown.includes(after), 300_000);
        child.stdin.write(keys);
      }
      assert.equal(await ended, 0, `${command}\n${shown}`);
      return shown;
    };
    const shown = new Map<string, string>();
    for (const command of readmeCommands()) {
      if (command !== "npm install -g toolwright") shown.set(command, await run(command));
      // Not the published package, and with the registry, cache and certificates of this machine.
      else npm(["install", "-g", "--prefix", prefix, "--prefer-offline", tarball], folder);
    }
    assert.ok(existsSync(join(folder, "hello.txt")), "the first approval ran the call");
    assert.match(shown.get("toolwright doctor") ?? "", /ok +model: ollama\/qwen3:8b answered/);
    const own = [...shown].find(([command]) => command.startsWith("toolwright call word_count"));
    assert.match(own?.[1] ?? "", /^3\r?$/m);
    await listTools(join(home, ".claude.json"), folder, env);
  },
);

/** Starts the server as the client's config says, and asks for its tools. */
async function listTools(file: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const config = JSON.parse(readFileSync(file, "utf8")) as {
    readonly mcpServers: {
      readonly toolwright: { readonly command: string; readonly args: readonly string[] };
    };
  };
  const { command, args } = config.mcpServers.toolwright;
  const child = spawn(command, args, { cwd, env });
  let answered = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (answered += text));
  const ended = new Promise((resolve) => child.on("close", resolve));
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "newcomer", version: "1" };
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  await until("initialize", () => answered.includes('"id":1'), 300_000);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/list" });
  await until("tools/list", () => answered.includes('"id":2'), 300_000);
  child.stdin.end();
  await ended;
  assert.match(answered, /"read_file"/);
}
