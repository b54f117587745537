import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../../core/json.ts";
import { readServer, type ConfiguredServer } from "./config.ts";

const SET: Readonly<Record<string, string>> = { HOME: "/home/ada", TOKEN: "tok-123456", EMPTY: "" };
const CONTEXT = {
  variables: { allowed: SET, isSet: (name: string) => name in SET || name === "UNNAMED" },
  environment: { PATH: "/bin" },
  root: "/project",
};

function read(written: Json, name = "x"): ConfiguredServer {
  const read = readServer(name, written, CONTEXT);
  assert.ok("server" in read, "problem" in read ? read.problem : "");
  return read;
}

function problemOf(written: Json, name = "x"): string {
  const read = readServer(name, written, CONTEXT);
  return "problem" in read ? read.problem : "none";
}

test("a command has its arguments, the filtered environment plus its own variables, and a folder", () => {
  const { server, ...rest } = read({
    command: "npx",
    args: ["-y", "${HOME}/server", "${UNSET:-fallback}", "${EMPTY:-empty}", "$HOME"],
    env: { API_TOKEN: "Bearer ${TOKEN}", PLAIN: "plain-value" },
    cwd: "sub",
  });
  assert.deepEqual(server, {
    kind: "stdio",
    command: "npx",
    args: ["-y", "/home/ada/server", "fallback", "empty", "$HOME"],
    environment: { PATH: "/bin", API_TOKEN: "Bearer tok-123456", PLAIN: "plain-value" },
    cwd: "/project/sub",
  });
  assert.deepEqual(rest, {
    isDisabled: false,
    trustsAnnotations: false,
    startup: "eager",
    secrets: ["Bearer tok-123456"],
  });
});

test("a URL has headers, and its secrets are listed", () => {
  const { server, secrets } = read({
    url: "https://h.example/mcp?api_key=k-987654&page=1",
    headers: { Authorization: "Bearer ${TOKEN}", Accept: "text/plain" },
  });
  assert.deepEqual(server.kind === "http" && [server.transport, server.headers["Authorization"]], [
    "auto",
    "Bearer tok-123456",
  ]);
  assert.deepEqual(secrets, ["Bearer tok-123456", "tok-123456", "k-987654"]);
  for (const [type, transport] of [
    ["http", "http"],
    ["streamable-http", "http"],
    ["sse", "sse"],
  ] as const) {
    const one = read({ url: "http://h.example", type }).server;
    assert.equal(one.kind === "http" && one.transport, transport);
  }
});

for (const name of [
  "api_key",
  "apikey",
  "apiKey",
  "exaApiKey",
  "accessToken",
  "authToken",
  "client-secret",
  "token",
]) {
  test(`the query parameter ${name} is secret`, () => {
    const { secrets } = read({ url: `https://h.example/mcp?${name}=k-987654&monkey=business&author=ada` });
    assert.deepEqual(secrets, ["k-987654"]);
  });
}

test("a URL with a password is refused without printing it", () => {
  for (const url of ["https://ada:pass-word@h.example/mcp", "https://pass-word@h.example/mcp"]) {
    const refused = readServer("docs", { url }, CONTEXT);
    assert.match("problem" in refused ? (refused.hint ?? "") : "", /Authorization header/);
    assert.ok(!JSON.stringify(refused).includes("pass-word"));
  }
});

for (const [name, value] of [
  ["X-Key", "k-987654\nX-Evil: 1"],
  ["X Key", "k-987654"],
  ["X-Key", "k-987654\u{1f511}"],
  ["", "k-987654"],
] as const)
  test(`an invalid header is reported by its name, without its value: ${JSON.stringify([name, value])}`, () => {
    const refused = readServer("docs", { url: "https://h.example", headers: { [name]: value } }, CONTEXT);
    assert.match("problem" in refused ? refused.problem : "", /its header ".*" cannot be sent/);
    assert.ok(!JSON.stringify(refused).includes("k-987654"));
  });

test("switches and limits are read, and keys of other clients are ignored", () => {
  const {
    server: _server,
    secrets: _secrets,
    ...rest
  } = read({
    command: "x",
    disabled: true,
    timeoutSeconds: 5,
    connectTimeoutSeconds: 0.5,
    startup: "lazy",
    trustAnnotations: true,
    alwaysAllow: ["everything"],
  });
  assert.deepEqual(rest, {
    isDisabled: true,
    trustsAnnotations: true,
    startup: "lazy",
    timeoutMs: 5000,
    connectTimeoutMs: 500,
  });
});

test("a variable that is set but not allowed is not expanded, with or without a default, and the reason says so", () => {
  for (const text of ["${UNNAMED}", "${UNNAMED:-x}"])
    for (const entry of [
      { command: text },
      { command: "x", args: [text] },
      { command: "x", env: { A: text } },
      { url: `http://${text}` },
      { url: "http://a", headers: { A: text } },
    ])
      assert.match(problemOf(entry), /\$\{UNNAMED\}, which the setting "environment" does not name/);
  assert.match(problemOf({ command: "${NOT_SET}" }), /\$\{NOT_SET\}, which is not set/);
});

test("an invalid entry is reported with what is wrong", () => {
  const cases: readonly (readonly [Json, RegExp])[] = [
    ["npx", /^mcpServers\.x: expected object, got string$/],
    [{}, /neither "command" nor "url"/],
    [{ command: "a", url: "http://b" }, /both/],
    [{ command: "" }, /^mcpServers\.x\.command: expected at least 1 character,/],
    [{ command: "a", args: "b" }, /^mcpServers\.x\.args: expected array/],
    [{ command: "a", env: { B: 1 } }, /^mcpServers\.x\.env\.B: expected string, got integer$/],
    [{ url: "ftp://a" }, /not an http address/],
    [{ url: "https://" }, /not an http address/],
    [{ url: "http://a", type: "websocket" }, /type: expected one of "stdio", "http"/],
    [{ command: "a", timeoutSeconds: 0 }, /timeoutSeconds/],
    [{ command: "a", startup: "soon" }, /startup/],
    [{ command: "a", disabled: "yes" }, /disabled/],
    [{ command: "a", timeout: 0 }, /timeout/],
    [
      { command: "a", timeout: 2000 },
      /timeout of 2000 may be seconds or milliseconds; write "timeoutSeconds"/,
    ],
    [{ command: "a", autoApprove: "all" }, /autoApprove: expected array/],
    [{ command: "a", inherit: ["A B"] }, /inherit\[0\]: expected a variable name, which may end in \*/],
    [{ command: "a", envFile: 1 }, /envFile: expected string/],
    [{ url: "http://a", envFile: ".env" }, /"envFile" cannot be used with "url"/],
    [{ url: "http://a", inherit: ["A"] }, /"inherit" cannot be used with "url"/],
  ];
  for (const [written, expected] of cases) assert.match(problemOf(written), expected);
  const named = readServer("My server!", { command: "a" }, CONTEXT);
  assert.match("problem" in named ? named.problem : "", /its name must be letters/);
  assert.equal("problem" in named && named.hint, 'rename it, for example to "My-server"');
});

test("a sandboxed program gets the workspace, and bubblewrap is found on the user's own PATH", () => {
  const written = { command: "npx", env: { PATH: "/theirs" }, sandbox: "bubblewrap" };
  const boxOf = (more: JsonObject): unknown => {
    const { server } = read({ ...written, ...more });
    return server.kind === "stdio" && server.box;
  };
  const box = { path: "/bin", workspace: ["/project"], readable: [], hasNetwork: false };
  assert.deepEqual(boxOf({}), box);
  const more = { network: true, readable: ["sub", "${HOME}/x"] };
  assert.deepEqual(boxOf(more), { ...box, hasNetwork: true, readable: ["/project/sub", "/home/ada/x"] });
  const { sandbox: _none, ...open } = written;
  assert.ok(!("box" in read(open).server));
});

test("OAuth settings are read, and the secret only from a variable", () => {
  const url = "https://h.example/mcp";
  const oauth = { clientId: "me", clientSecret: "${TOKEN}", scope: "a b", redirectPort: 7000 };
  const { server, secrets } = read({ url, oauth });
  assert.deepEqual(server.kind === "http" && server.oauth, { ...oauth, clientSecret: "tok-123456" });
  assert.deepEqual(secrets, ["tok-123456"]);
  for (const [wrong, expected] of [
    [
      { clientSecret: "written-here" },
      /oauth\.clientSecret: expected a variable, as in \$\{NAME\}, got string$/,
    ],
    [{ clientSecret: "${TOKEN}x" }, /oauth\.clientSecret/],
    [{ clientSecret: "${TOKEN:-written-here}" }, /oauth\.clientSecret/],
    [{ clientSecret: "${UNNAMED}" }, /"environment" does not name/],
    [{ redirectPort: 70_000 }, /oauth\.redirectPort: expected at most 65535/],
    [{ scope: 3 }, /oauth\.scope: expected string/],
  ] as const)
    assert.match(problemOf({ url, oauth: wrong }), expected);
  assert.match(problemOf({ url, oauth: "yes" }), /oauth: expected object/);
  assert.match(problemOf({ url, sandbox: "bubblewrap" }), /only a program/);
  assert.match(
    problemOf({ command: "a", sandbox: "docker" }),
    /sandbox: expected "bubblewrap"|sandbox: expected one of "bubblewrap"/,
  );
});

test("addresses and variables as other clients write them are understood, and a question of an editor is reported", () => {
  for (const key of ["url", "httpUrl", "serverUrl"]) {
    const { server } = read({
      [key]: "https://h.example/mcp",
      headers: { Authorization: "Bearer ${env:TOKEN}" },
    });
    assert.ok(server.kind === "http");
    assert.deepEqual(
      [server.url, server.headers],
      ["https://h.example/mcp", { Authorization: "Bearer tok-123456" }],
    );
  }
  assert.match(
    problemOf({ command: "x", args: ["${input:api-key}"] }),
    /uses \$\{input:api-key\}, which only an editor can fill in/,
  );
  assert.match(problemOf({ command: "x", serverUrl: "https://h.example" }), /both "command" and "url"/);
});

for (const [timeout, timeoutMs] of [
  [60, 60_000],
  [999, 999_000],
  [30_000, 30_000],
  [1e12, 86_400_000],
] as const)
  test(`a timeout of ${timeout} is ${timeoutMs} ms, and timeoutSeconds wins over it`, () => {
    assert.equal(read({ command: "x", timeout }).timeoutMs, timeoutMs);
    assert.equal(read({ command: "x", timeout, timeoutSeconds: 5 }).timeoutMs, 5000);
  });

test("a program gets inherited variables, those of its file and its own, the later ones first", () => {
  const content = "# comment\nA=file\nB='of file'\nexport API_KEY=secret-of-file\n";
  const context = {
    ...CONTEXT,
    envFile: { path: "/project/.env", content },
    inherited: (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, "mine"])),
  };
  const written = { command: "x", env: { A: "entry" }, envFile: ".env", inherit: ["A", "B", "DISPLAY"] };
  const found = readServer("x", written, context);
  assert.ok("server" in found && found.server.kind === "stdio");
  const expected = { A: "entry", B: "of file", API_KEY: "secret-of-file", DISPLAY: "mine", PATH: "/bin" };
  assert.deepEqual({ ...found.server.environment }, expected);
  assert.deepEqual(found.secrets, ["secret-of-file"]);
});

test("the password of an inherited proxy is a secret", () => {
  const inherited = () => ({ HTTPS_PROXY: "http://me:proxy-password@p.example:8080" });
  const found = readServer("x", { command: "x", inherit: ["HTTPS_PROXY"] }, { ...CONTEXT, inherited });
  assert.deepEqual("secrets" in found && found.secrets, ["proxy-password"]);
});

test("a file of variables that cannot be read is the problem of its server", () => {
  const envFile = { path: "/project/.env", content: { problem: "its envFile /project/.env does not exist" } };
  const found = readServer("x", { command: "x", envFile: ".env" }, { ...CONTEXT, envFile });
  assert.deepEqual(found, envFile.content);
});
