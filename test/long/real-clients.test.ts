// Clients as npm installs them: `mcp import` takes the files that their own commands write, and a client of the Agent Client Protocol drives
// `toolwright acp`. Needs the registry the first time; a client that cannot be installed is skipped. Takes about 1 minute.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { installPackage, type NpmPackage } from "../support/programs/npm-package.ts";
import { createPlace, runCli, type Place } from "../flows/support/cli.ts";
import { createReplPlace } from "../flows/support/repl.ts";

const SERVER = resolve("node_modules/@modelcontextprotocol/server-memory/dist/index.js");
const NODE = process.execPath;

interface RealClient {
  readonly package: string;
  readonly version: string;
  readonly bin: string;
  /** The file that its commands write, below the home. */
  readonly file: string;
  /** The arguments of the commands that add a program with a variable, and an address with a header if it can. */
  readonly add: readonly (readonly string[])[];
  readonly added: object;
}

const PROGRAM = { command: NODE, args: [SERVER], env: { K: "v" } };
const WEB = { url: "https://web.example/mcp", headers: { A: "b" } };

const CLIENTS: Readonly<Record<string, RealClient>> = {
  "claude-code": {
    package: "@anthropic-ai/claude-code",
    version: "2.1.325",
    bin: "claude",
    file: ".claude.json",
    add: [
      ["mcp", "add", "--scope", "user", "mem", "-e", "K=v", "--", NODE, SERVER],
      ["mcp", "add", "--scope", "user", "--transport", "http", "web", WEB.url, "--header", "A: b"],
      ["mcp", "add", "here", "--", NODE, SERVER],
    ],
    added: { mem: PROGRAM, web: WEB, here: { ...PROGRAM, env: {} } },
  },
  codex: {
    package: "@openai/codex",
    version: "0.166.0",
    bin: "codex",
    file: ".codex/config.toml",
    add: [["mcp", "add", "mem", "--env", "K=v", "--", NODE, SERVER]],
    added: { mem: PROGRAM },
  },
  "gemini-cli": {
    package: "@google/gemini-cli",
    version: "0.61.0",
    bin: "gemini",
    file: ".gemini/settings.json",
    add: [
      ["mcp", "add", "--scope", "user", "-e", "K=v", "mem", NODE, SERVER],
      ["mcp", "add", "--scope", "user", "--transport", "http", "-H", "A: b", "web", WEB.url],
    ],
    added: { mem: PROGRAM, web: WEB },
  },
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    bin: "opencode",
    file: ".config/opencode/opencode.jsonc",
    add: [
      ["mcp", "add", "mem", "--env", "K=v", "--", NODE, SERVER],
      ["mcp", "add", "web", "--url", WEB.url, "--header", "A=b"],
    ],
    added: { mem: PROGRAM, web: WEB },
  },
};

for (const [name, client] of Object.entries(CLIENTS))
  test(`${name} ${client.version}: its servers are imported, it accepts the replaced file, and the file is restored`, (t) => {
    const installed = installOrSkip(t, client.package, client.version);
    return installed === undefined ? undefined : importFrom(t, name, client, installed);
  });

async function importFrom(
  t: TestContext,
  name: string,
  { bin, file, add, added }: RealClient,
  { program }: NpmPackage,
): Promise<void> {
  const place = createPlace(t);
  for (const args of add) start(place, program(bin), args);
  const path = join(place.home, file);
  const before = readFileSync(path, "utf8");
  const replace = async (): Promise<void> => {
    const { code, stdout, stderr } = await runCli(place, ["mcp", "import", name, "--replace"]);
    assert.equal(code, 0, stdout + stderr);
  };
  await replace();
  const { mcpServers } = JSON.parse(readFileSync(join(place.home, "config.json"), "utf8")) as Record<
    string,
    object
  >;
  assert.deepEqual(mcpServers, added);
  assert.equal((await runCli(place, ["mcp", "restore", name])).code, 0);
  assert.equal(readFileSync(path, "utf8"), before);
  await replace();
  const listed = start(place, program(bin), ["mcp", "list"]);
  assert.match(listed, /toolwright/);
  assert.doesNotMatch(listed, /\bmem\b|web\.example/);
  assert.equal((await runCli(place, ["mcp", "restore", name])).code, 0);
  assert.match(readFileSync(path, "utf8"), /\bmem\b/);
}

test("acpx drives toolwright acp: files, a terminal, a plan, approvals, and what it denies does not run", (t) => {
  const installed = installOrSkip(t, "acpx", "0.19.1");
  if (installed === undefined) return;
  const story = [
    {
      text: "I read.",
      calls: [
        { name: "read_file", input: { path: "a.txt" } },
        { name: "write_file", input: { path: "b.txt", content: "new\n" } },
        { name: "todo_write", input: { todos: [{ content: "write it", status: "in_progress" }] } },
      ],
    },
    { calls: [{ name: "shell", input: { command: "echo hello > c.txt" } }] },
    { text: "All done." },
  ];
  const place = createReplPlace(t, story);
  place.write("a.txt", "old\n");
  const agent = [
    NODE,
    resolve("bin/toolwright.js"),
    "acp",
    "--model",
    `scripted/${place.folder}/story.jsonl`,
  ].join(" ");
  const exec = (answer: string, codes: readonly number[]): string =>
    start(place, installed.program("acpx"), ["--agent", agent, answer, "exec", "go"], codes);
  const denied = exec("--deny-all", [5]);
  assert.match(denied, /declined this call[^]*All done\./);
  assert.deepEqual(
    ["b.txt", "c.txt"].map((file) => existsSync(join(place.folder, file))),
    [false, false],
  );
  const approved = exec("--approve-all", [0]);
  for (const part of [
    /fs\/read_text_file/,
    /terminal\/create/,
    /\[plan\]\s+- \[in_progress\] write it/,
    /diff .*b\.txt/,
    /\[done\] end_turn/,
  ])
    assert.match(approved, part);
  assert.deepEqual(
    ["b.txt", "c.txt"].map((file) => readFileSync(join(place.folder, file), "utf8")),
    ["new\n", "hello\n"],
  );
});

function installOrSkip(t: TestContext, name: string, version: string): NpmPackage | undefined {
  try {
    return installPackage(name, version);
  } catch (error) {
    t.skip(`${name} cannot be installed: ${String(error)}`);
    return undefined;
  }
}

/** Runs a program in the place and returns all that it printed. */
function start(
  { folder, home }: Place,
  program: string,
  args: readonly string[],
  codes: readonly number[] = [0],
): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TOOLWRIGHT_HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
  };
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env,
    encoding: "utf8",
    input: "",
    timeout: 300_000,
  });
  assert.ok(codes.includes(status ?? -1), `${program} ${args.join(" ")}: ${status}\n${stdout}${stderr}`);
  return stdout + stderr;
}
