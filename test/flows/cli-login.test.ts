// Keys of model providers: typed in init, stored by login, in a file or in the keyring of a desktop.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { findProgram } from "../../src/system/box/find-program.ts";
import { startWebServer } from "../support/servers/web-server.ts";
import { createPlace, runCli, runProcess, until, type Place } from "./support/cli.ts";
import { onTerminal, skipTerminal } from "./support/on-terminal.ts";

const userConfig = ({ home }: Place): unknown => JSON.parse(readFileSync(join(home, "config.json"), "utf8"));

/** No server of this machine is asked for models. */
const NO_SERVERS = Object.fromEntries(
  ["OLLAMA_HOST", "VLLM_BASE_URL", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL"].map((name) => [
    name,
    "http://127.0.0.1:9",
  ]),
);

/** Starts a server with two models that answer OK to requests with the key. */
function startCompatible(t: TestContext, key: string) {
  const chunk = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  return startWebServer(t, (request, response) => {
    if (request.headers.authorization !== `Bearer ${key}`) return response.writeHead(401).end("{}");
    if (request.url === "/v1/models") return response.end('{"data": [{"id": "a"}, {"id": "b"}]}');
    response.setHeader("content-type", "text/event-stream");
    return response.end(`${chunk({ content: "OK" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`);
  });
}

test(
  "init takes the address of a compatible server and its key, tries both and stores them; the key is never shown",
  { skip: skipTerminal },
  async (t) => {
    const place = createPlace(t);
    const { origin } = await startCompatible(t, "key-1234");
    const { finished, shown, type } = onTerminal(place, ["init"], {
      environment: { ...NO_SERVERS, TOOLWRIGHT_LEVEL: "ask" },
    });
    for (const [question, keys] of [
      ["provider/name, or Enter for none: ", `${origin}/v1\r`],
      ["(not shown; Enter: back): ", "wrong\r"],
      [/refuses the key \(401\)[^]*\(not shown; Enter: back\): $/, "key-1234\r"],
      ["or a name: ", "2\r"],
      [/compatible\/b answered in \d+ ms[^]*\(Enter: auto[^)]*\): /, "\r"],
      ["[y]es, [n]o (Enter: no): ", "\r"],
      ["client (Enter: none): ", "\r"],
    ] as const) {
      await until(String(question), () =>
        typeof question === "string" ? shown.stdout.includes(question) : question.test(shown.stdout),
      );
      type(keys);
    }
    assert.equal((await finished).code, 0, shown.stdout);
    assert.doesNotMatch(shown.stdout, /key-1234|wrong/);
    const models = { compatible: { baseUrl: `${origin}/v1` } };
    assert.deepEqual(userConfig(place), { models, model: "compatible/b" });
    const file = join(place.home, "keys.json");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const run = await runCli(place, ["run", "hi"], { environment: NO_SERVERS });
    assert.equal(run.stdout, "OK\n", run.stderr);
  },
);

test("login reads a key from standard input, stores what the provider takes, lists and removes it", async (t) => {
  const place = createPlace(t);
  const { origin } = await startCompatible(t, "key-1234");
  const environment = { ...NO_SERVERS, OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1` };
  const login = (args: readonly string[], input = "") =>
    runCli(place, ["login", ...args], { input, environment });
  const refused = await login(["compatible"], "nope\n");
  assert.equal(refused.code, 1, refused.stderr);
  assert.match(refused.stderr, /compatible refuses the key \(401\)\n.*check the key/);
  assert.equal((await login([])).stdout, "no keys are stored; toolwright login PROVIDER stores one\n");
  const stored = await login(["compatible"], "key-1234\n");
  assert.equal(stored.code, 0, stored.stderr);
  assert.match(stored.stderr, /compatible takes the key and has 2 models/);
  assert.match(stored.stdout, /stored the key of compatible in .*keys\.json/);
  assert.equal((await login([])).stdout, "OPENAI_COMPATIBLE_API_KEY  in keys.json\n");
  const run = await runCli(place, ["run", "--model", "compatible/a", "hi"], { environment });
  assert.equal(run.stdout, "OK\n", run.stderr);
  assert.equal((await login(["compatible", "--remove"])).stdout, "removed the key of compatible\n");
  assert.equal((await login(["compatible", "--remove"])).stdout, "no key of compatible is stored\n");
});

test("login without a reachable provider stores the key and says that it was not tried", async (t) => {
  const place = createPlace(t);
  const { code, stderr } = await runCli(place, ["login", "compatible"], {
    input: "k1",
    environment: NO_SERVERS,
  });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the key was not tried: compatible needs the address of a server/);
});

for (const { args, input = "", says } of [
  { args: ["olama"], says: /unknown action "olama".*|unknown provider "olama"/ },
  { args: ["openai"], says: /missing key: nothing was stored\n.*toolwright login openai < FILE/ },
  { args: ["openai"], input: "a b", says: /the key has spaces/ },
  { args: ["--remove"], says: /missing provider\n.*login PROVIDER --remove/ },
  { args: ["openai", "key"], says: /unexpected argument/ },
])
  test(`login ${args.join(" ")} with the input ${JSON.stringify(input)} stores nothing`, async (t) => {
    const place = createPlace(t);
    const { code, stderr } = await runCli(place, ["login", ...args], { input });
    assert.equal(code, 2, stderr);
    assert.match(stderr, says);
    assert.equal(existsSync(join(place.home, "keys.json")), false);
  });

/** Runs a command in a session of a desktop whose keyring is unlocked. */
const SESSION =
  'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"';
const KEYRING_PROGRAMS = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];
const missing = KEYRING_PROGRAMS.find((name) => findProgram(name, process.env["PATH"] ?? "") === undefined);

test(
  "in the session of a desktop the key is in the keyring, not in a file",
  { skip: missing === undefined ? false : `${missing} is not installed` },
  async (t) => {
    const place = createPlace(t);
    const { origin } = await startCompatible(t, "key-1234");
    const environment = {
      ...NO_SERVERS,
      OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1`,
      // The keyring is a file of the home folder.
      HOME: place.home,
      XDG_DATA_HOME: join(place.home, "data"),
      XDG_RUNTIME_DIR: place.home,
    };
    const under = ["dbus-run-session", "--", "sh", "-c", SESSION, "sh"];
    const run = (args: readonly string[], input = "") =>
      runProcess(place, args, { input, environment, under });
    const stored = await run(["login", "compatible"], "key-1234");
    assert.match(stored.stdout, /stored the key of compatible in the system's keyring\n/, stored.stderr);
    const written: unknown = JSON.parse(readFileSync(join(place.home, "keys.json"), "utf8"));
    assert.deepEqual(written, { OPENAI_COMPATIBLE_API_KEY: { keyring: true } });
    const answered = await run(["run", "--model", "compatible/a", "hi"]);
    assert.equal(answered.stdout, "OK\n", answered.stderr);
    const outside = await runCli(place, ["run", "--model", "compatible/a", "hi"], { environment });
    assert.match(outside.stderr, /keyring does not give the key[^]*unlock the keyring/);
    assert.match((await run(["login", "compatible", "--remove"])).stdout, /removed/);
    assert.match((await run(["login"])).stdout, /no keys are stored/);
  },
);

/** What `secret-tool` does, with a file for each key. */
const SECRET_TOOL = `#!/bin/sh
for name; do :; done
case $1 in
  store) cat > "$HOME/$name" ;;
  lookup) cat "$HOME/$name" ;;
esac
`;

test("a key of the keyring that a tool prints is masked for the model and on the terminal", async (t) => {
  const key = "keyring-key-1234";
  const place = createPlace(t);
  const asked: string[] = [];
  const { origin } = await startWebServer(t, (request, response) => {
    if (request.url === "/v1/models") return response.end('{"data": [{"id": "a"}]}');
    const call = { index: 0, id: "c1", function: { name: "read_file", arguments: '{"path": "notes.txt"}' } };
    const delta = asked.length === 0 ? { tool_calls: [call] } : { content: "Done." };
    const finish = asked.length === 0 ? "tool_calls" : "stop";
    const parts = [
      { index: 0, delta, finish_reason: null },
      { index: 0, delta: {}, finish_reason: finish },
    ];
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push(Buffer.concat(chunks).toString());
      response.setHeader("content-type", "text/event-stream");
      const events = parts.map((choice) => `data: ${JSON.stringify({ id: "1", choices: [choice] })}\n\n`);
      response.end(`${events.join("")}data: [DONE]\n\n`);
    });
    return undefined;
  });
  place.write("secret-tool", SECRET_TOOL);
  chmodSync(join(place.folder, "secret-tool"), 0o755);
  place.write("notes.txt", `the key is ${key}\n`);
  const environment = {
    ...NO_SERVERS,
    OPENAI_COMPATIBLE_BASE_URL: `${origin}/v1`,
    HOME: place.home,
    PATH: `${place.folder}:${process.env["PATH"] ?? ""}`,
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere",
  };
  const stored = await runCli(place, ["login", "compatible"], { input: key, environment });
  assert.match(stored.stdout, /in the system's keyring\n/, stored.stderr);
  const run = await runCli(place, ["run", "--model", "compatible/a", "--json", "read notes.txt"], {
    environment,
  });
  assert.equal(run.code, 0, run.stderr);
  assert.ok(asked[1]?.includes("the key is ⟦masked⟧"), "the tool has run");
  assert.doesNotMatch((asked[1] ?? "") + run.stdout + run.stderr, new RegExp(key));
});

test("a file of keys that others can read is not written to, and its keys are masked all the same", async (t) => {
  const place = createPlace(t);
  const file = join(place.home, "keys.json");
  writeFileSync(file, '{"OPENAI_API_KEY": {"key": "key-of-a-shared-file"}, "X": 1}', { mode: 0o644 });
  const { origin } = await startCompatible(t, "key-1234");
  const config = { models: { compatible: { baseUrl: `${origin}/v1` } } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const stored = await runCli(place, ["login", "compatible"], { input: "key-1234\n" });
  assert.notEqual(stored.code, 0);
  assert.match(stored.stderr, /other users can read .*keys\.json[^]*chmod 600/);
  assert.doesNotMatch(readFileSync(file, "utf8"), /key-1234/);
  const shown = await runCli(place, ["call", "think", "it is key-of-a-shared-file"]);
  assert.doesNotMatch(shown.stdout + shown.stderr, /key-of-a-shared-file/);
});
