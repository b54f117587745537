// Setting up: init by flags and by questions, and the check of the model in doctor.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOllama } from "../support/servers/ollama-server.ts";
import { startWebServer } from "../support/servers/web-server.ts";
import { createPlace, runCli, startRun, until, type Place } from "./support/cli.ts";
import { onTerminal, skipTerminal } from "./support/on-terminal.ts";

const setUser = ({ home }: Place, settings: object): void =>
  writeFileSync(join(home, "config.json"), JSON.stringify(settings));
const userConfig = ({ home }: Place): unknown => JSON.parse(readFileSync(join(home, "config.json"), "utf8"));

test("doctor sends a request to the configured model and reports that it answered", async (t) => {
  const place = createPlace(t);
  const { variables, requests } = await startOllama(t);
  setUser(place, { model: "ollama/qwen3:8b" });
  const { code, stdout } = await runCli(place, ["doctor"], { environment: variables });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^ok +model: ollama\/qwen3:8b answered in \d+ ms$/m);
  assert.ok(requests.some(({ url }) => url === "/api/chat"));
});

test("doctor --offline sends no request", async (t) => {
  const place = createPlace(t);
  const { variables, requests } = await startOllama(t);
  setUser(place, { model: "ollama/qwen3:8b" });
  const { stdout } = await runCli(place, ["doctor", "--offline"], { environment: variables });
  assert.match(stdout, /^ok +model: ollama\/qwen3:8b; no request was sent$/m);
  assert.equal(requests.length, 0);
});

for (const { what, model, says, status = 200 } of [
  { what: "rejects the request", model: "ollama/nope", status: 404, says: /BROKEN +model: .*nope/ },
  { what: "is overloaded", model: "ollama/qwen3:8b", status: 503, says: /BROKEN +model: / },
  { what: "has no key", model: "anthropic/claude-sonnet-4-5", says: /BROKEN +model: .*ANTHROPIC_API_KEY/ },
  {
    what: "has an unknown provider",
    model: "olama/x",
    says: /BROKEN +model: .*olama"\n +did you mean ollama/,
  },
])
  test(`doctor says that a model ${what}, and exits with 1`, async (t) => {
    const place = createPlace(t);
    const { variables } = await startOllama(t, '{"error": "model nope not found"}', status);
    setUser(place, { model });
    const { code, stdout } = await runCli(place, ["doctor"], { environment: variables });
    assert.equal(code, 1, stdout);
    assert.match(stdout, says);
  });

test("doctor prints each check as it is done, before it asks the model", async (t) => {
  const place = createPlace(t);
  const asked = Promise.withResolvers<() => void>();
  const { origin } = await startWebServer(t, (_, response) => {
    asked.resolve(() => void response.writeHead(404).end("{}"));
  });
  setUser(place, { model: "ollama/qwen3:8b" });
  const { finished, shown } = startRun(place, ["doctor"], { environment: { OLLAMA_HOST: origin } });
  const answer = await asked.promise;
  assert.match(shown.stdout, /^ok +workspace: .*\nok +store: .*\n$/m);
  assert.doesNotMatch(shown.stdout, /^\w+ +(model|tools|ripgrep): /m);
  answer();
  const { stdout } = await finished;
  assert.match(stdout, /^BROKEN +model: [^]*^ok +tools: [^]*^ok +ripgrep: [^]*^toolwright config lists/m);
});

for (const { what, server, says } of [
  {
    what: "does not start in its own time limit",
    server: { command: "sleep", args: ["60"], connectTimeoutSeconds: 0.1 },
    says: /^BROKEN +MCP server: slow: .*\(timeout\)$/m,
  },
  {
    what: "hangs",
    server: { command: "sleep", args: ["60"] },
    says: /^BROKEN +MCP server: slow: did not answer within 5 s\n +toolwright mcp test slow waits longer$/m,
  },
  {
    what: "does not exist",
    server: { command: "/no/such/program" },
    says: /^BROKEN +MCP server: slow: .*no such program.*\(unreachable\)$/m,
  },
])
  test(`doctor reports a server that ${what} as broken, and finishes the other checks`, async (t) => {
    const place = createPlace(t);
    setUser(place, { mcpServers: { slow: server } });
    const { code, stdout } = await runCli(place, ["doctor", "--offline"]);
    assert.equal(code, 1, stdout);
    assert.match(stdout, says);
    assert.match(stdout, /^ok +ripgrep: /m);
  });

test("without a model doctor names those that were found, and the command that sets one", async (t) => {
  const place = createPlace(t);
  const { variables } = await startOllama(t);
  const environment = { ...variables, ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: variables.OLLAMA_HOST };
  const { code, stdout } = await runCli(place, ["doctor"], { environment });
  assert.equal(code, 0, stdout);
  assert.match(
    stdout,
    /^note +model: none is set; found anthropic\/claude-sonnet-4-5 \(ANTHROPIC_API_KEY\), ollama\/qwen3:8b \(http:/m,
  );
  assert.match(stdout, /toolwright config set model anthropic\/claude-sonnet-4-5/);
});

test("init by flags writes model and mode to the user config, trusts the folder and configures a client", async (t) => {
  const place = createPlace(t);
  const args = ["init", "--model", "ollama/qwen3:8b", "--mode", "edits", "--trust", "--client", "codex"];
  const { code, stdout, stderr } = await runCli(place, args);
  assert.equal(code, 0, stderr);
  assert.deepEqual(userConfig(place), { model: "ollama/qwen3:8b", mode: "edits" });
  const written = `wrote ${join(place.home, "config.json")}\n  model = ollama/qwen3:8b\n  mode = edits\n`;
  assert.ok(stdout.includes(written), stdout);
  assert.doesNotMatch(stdout, /until you trust/, "it is trusted now");
  assert.match(stdout, /^toolwright {2,}opens the REPL\n[^]*^toolwright doctor +checks the setup$/m);
  assert.ok(existsSync(join(place.folder, ".toolwright/config.json")), stdout);
  assert.match(readFileSync(join(place.home, ".codex/config.toml"), "utf8"), /\[mcp_servers\.toolwright\]/);
  const mode = await runCli(place, ["config", "get", "mode"]);
  assert.equal(mode.stdout, "edits\n", "the project file has no defaults that would override the user's");
  const again = await runCli(place, ["init", "--mode", "ask"]);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(userConfig(place), { model: "ollama/qwen3:8b", mode: "ask" });
});

for (const { args, says } of [
  { args: ["--client", "vim"], says: /unknown client "vim"/ },
  { args: ["--client", "zedd"], says: /did you mean zed/ },
  { args: ["--model", "gpt"], says: /provider\/name/ },
])
  test(`init ${args.join(" ")} is refused before anything is written`, async (t) => {
    const place = createPlace(t);
    const { code, stderr } = await runCli(place, ["init", "--mode", "ask", "--trust", ...args]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, says);
    assert.equal(existsSync(join(place.home, "config.json")), false);
    assert.equal(existsSync(join(place.folder, ".toolwright")), false);
  });

test("init on a terminal asks four questions and writes the answers", { skip: skipTerminal }, async (t) => {
  const place = createPlace(t);
  const { variables } = await startOllama(t);
  const { finished, shown, type } = onTerminal(place, ["init"], {
    environment: { ...variables, TOOLWRIGHT_LEVEL: "ask" },
  });
  for (const [question, keys] of [
    ["a number (Enter: 1), provider/name, or none: ", "1\r"],
    ["(Enter: auto", "edits\r"],
    ["[y]es, [n]o (Enter: no): ", "y\r"],
    ["client (Enter: none): ", "zed\r"],
  ] as const) {
    await until(question, () => shown.stdout.includes(question));
    type(keys);
  }
  assert.equal((await finished).code, 0, shown.stdout);
  assert.match(shown.stdout, /1 {2}ollama\/qwen3:8b {2}http:\/\/127\.0\.0\.1/);
  assert.deepEqual(userConfig(place), { model: "ollama/qwen3:8b", mode: "edits" });
  assert.ok(existsSync(join(place.folder, ".toolwright/config.json")));
  assert.ok(existsSync(join(place.home, ".config/zed/settings.json")));
});

test(
  "init on a terminal says that nothing was changed if everything is answered with Enter",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    const { finished, shown, type } = onTerminal(place, ["init"], {
      environment: { OLLAMA_HOST: "127.0.0.1:9", TOOLWRIGHT_LEVEL: "ask" },
    });
    for (const question of ["or Enter for none: ", "(Enter: auto", "(Enter: no): ", "(Enter: none): "]) {
      await until(question, () => shown.stdout.includes(question));
      type("\r");
    }
    assert.equal((await finished).code, 0, shown.stdout);
    assert.match(shown.stdout, /nothing was changed/);
    assert.equal(existsSync(join(place.home, "config.json")), false);
  },
);

test("Ctrl-C at a question of init changes nothing", { skip: skipTerminal }, async (t) => {
  const place = createPlace(t);
  const { variables } = await startOllama(t);
  const { finished, shown, type } = onTerminal(place, ["init"], { environment: variables });
  await until("the first question", () => shown.stdout.includes("or none: "));
  type("1\r");
  await until("the second question", () => shown.stdout.includes("(Enter: auto"));
  type("\u{3}");
  assert.equal((await finished).code, 130, shown.stdout);
  assert.equal(existsSync(join(place.home, "config.json")), false);
});
