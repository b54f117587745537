import assert from "node:assert/strict";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import type { ToolResult } from "../../src/core/result.ts";
import { textOf as resultText } from "../support/engines/engine.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { AS_USER, USER, withoutUser } from "../support/sandboxes/ordinary-user.ts";
import { until } from "../support/servers/mcp.ts";
import { createPlace, runCli, runProcess, type Place } from "./support/cli.ts";
import { connectMcp, textOf } from "./support/mcp-client.ts";

const SECRET = "canary-strict-31c7";

function strictPlace(t: TestContext, rules: readonly object[], more: object = {}): Place {
  const place = createPlace(t);
  const config = { mode: "yolo", strictDeny: true, groups: { running: true }, ...more };
  writeFileSync(join(place.home, "config.json"), JSON.stringify(config));
  writeFileSync(join(place.home, "policy.json"), JSON.stringify({ rules }));
  place.write(".env", SECRET);
  place.write("read.sh", "cat .en*; touch made\n");
  return place;
}

async function shell(place: Place, command: string, ...more: readonly string[]): Promise<ToolResult> {
  const { stdout } = await runCli(place, ["call", "shell", `command=${command}`, "--json", ...more]);
  return JSON.parse(stdout) as ToolResult;
}

/** Gives a folder and what is in it to another user. */
function give(root: string, user: number): void {
  chownSync(root, user, user);
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }))
    chownSync(join(root, path), user, user);
}

/** A server on loopback that counts its connections. */
async function listen(t: TestContext): Promise<{ readonly port: number; readonly accepted: () => number }> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on("error", () => undefined).end("hello");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, accepted: () => accepted };
}

const DENY_PATH = { path: "**/.env", decision: "deny" };

test("with strictDeny a script works, but finds no denied file", { skip: withoutBoxes }, async (t) => {
  const place = strictPlace(t, [DENY_PATH]);
  const result = await shell(place, "sh read.sh");
  assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
  assert.equal(result.meta.place, "sandbox");
  assert.ok(existsSync(join(place.folder, "made")));
  const copy = await shell(place, "cp read.sh copy.sh");
  assert.equal(copy.meta.place, "host");
});

const LOOK = `ls -a . config secrets; stat .env config/.env secrets/key; test -e .env && echo there
python3 -c "import os; print([(f, d) for f, _, d in os.walk('.') if '.git' not in f])"; rm -f .env config/.env; echo new > made`;

for (const [user, skip] of [
  ["this user", withoutBoxes],
  ["an ordinary user", withoutBoxes === false ? withoutUser() : withoutBoxes],
] as const)
  test(`in a copy of the workspace, denied files do not exist, for ${user}`, { skip }, async (t) => {
    const rules = [DENY_PATH, { path: "secrets/**", decision: "deny" }];
    const options = { sandbox: "bubblewrap", sandboxOptions: { workspace: "copy" } };
    const place = strictPlace(t, rules, options);
    for (const folder of ["config", "secrets"]) mkdirSync(join(place.folder, folder));
    place.write("config/.env", SECRET);
    place.write("config/other", "");
    place.write("secrets/key", SECRET);
    place.write("look.sh", LOOK);
    if (user !== "this user") give(dirname(place.folder), USER);
    const under = user === "this user" ? [] : AS_USER;
    const { stdout } = await runProcess(place, ["call", "shell", "command=sh look.sh", "--json"], { under });
    const result = JSON.parse(stdout) as ToolResult;
    assert.equal(result.meta.place, "sandbox");
    const text = resultText(result);
    assert.match(text, /look\.sh[^]*'other'/);
    assert.equal(text.match(/'.*': No such file/g)?.length, 4, text);
    assert.doesNotMatch(text.replaceAll(/'.*': No such file/g, ""), /\.env|key|there/);
    assert.doesNotMatch(stdout, new RegExp(SECRET));
    const changes = await runProcess(place, ["sandbox", "diff"], { under });
    assert.match(changes.stdout, /made/);
    assert.doesNotMatch(changes.stdout, /\.env|secrets/);
    assert.equal(readFileSync(join(place.folder, "config/.env"), "utf8"), SECRET);
  });

test("of a folder whose names are all denied, none is in the sandbox", { skip: withoutBoxes }, async (t) => {
  const place = strictPlace(t, [{ path: "secrets/**", decision: "deny" }]);
  mkdirSync(join(place.folder, "secrets/deep"), { recursive: true });
  place.write("secrets/deep/key", SECRET);
  place.write("look.sh", "find secrets; stat secrets/deep; echo x > secrets/made; touch made");
  const result = JSON.stringify(await shell(place, "sh look.sh"));
  assert.match(result, /secrets\/deep[^ ]*: No such file/);
  assert.doesNotMatch(result, new RegExp(`deep\\\\n|key|${SECRET}`));
  assert.ok(existsSync(join(place.folder, "made")));
  assert.equal(existsSync(join(place.folder, "secrets/made")), false);
});

test("without strictDeny the same script prints the file", async (t) => {
  const place = strictPlace(t, [DENY_PATH], { strictDeny: false });
  assert.match(JSON.stringify(await shell(place, "sh read.sh")), new RegExp(SECRET));
});

test("with strictDeny but no deny rule the script runs on the host", async (t) => {
  const place = strictPlace(t, [
    { path: "**/.env", decision: "ask" },
    { tool: "x", decision: "deny" },
  ]);
  const result = await shell(place, "sh read.sh");
  assert.equal(result.meta.place, "host");
  assert.match(JSON.stringify(result), new RegExp(SECRET));
});

test(
  "a denied host means no network in the sandbox, a denied path leaves it",
  { skip: withoutBoxes },
  async (t) => {
    const { port, accepted } = await listen(t);
    // The code names no host.
    const code = `bash -c 'h=127; cat < /dev/tcp/$h.0.0.1/${port}'`;
    for (const [rules, connections] of [
      [[DENY_PATH], 1],
      // Still one.
      [[DENY_PATH, { domain: "x.test", decision: "deny" }], 1],
    ] as const) {
      const place = strictPlace(t, rules);
      place.write("connect.sh", code);
      const result = await shell(place, "sh connect.sh");
      assert.equal(result.meta.place, "sandbox");
      assert.equal(accepted(), connections, JSON.stringify(rules));
    }
  },
);

test(
  "a denied command means that a script needs approval, and runs in the sandbox then",
  { skip: withoutBoxes },
  async (t) => {
    const place = strictPlace(t, [DENY_PATH, { command: ["rm"], decision: "deny" }]);
    const refused = await shell(place, "sh read.sh");
    assert.equal(refused.ok ? "ok" : refused.error.code, "DENIED");
    assert.equal(existsSync(join(place.folder, "made")), false);
    const result = await shell(place, "sh read.sh", "--yes");
    assert.equal(result.meta.place, "sandbox");
    assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
    assert.ok(existsSync(join(place.folder, "made")));
  },
);

test(
  "Python sessions, terminals and background processes are in the sandbox as well",
  { skip: withoutBoxes },
  async (t) => {
    const { port, accepted } = await listen(t);
    const place = strictPlace(t, [DENY_PATH, { domain: "x.test", decision: "deny" }]);
    place.write("connect.sh", `h=127; cat < /dev/tcp/$h.0.0.1/${port}; cat .e*; echo done`);
    const { client } = await connectMcp(t, place);
    const call = async (name: string, input: Readonly<Record<string, unknown>>): Promise<string> =>
      textOf(await client.callTool({ name, arguments: input }));
    await call("python_action", { action: "new_session", session_id: "a" });
    await call("python_action", { action: "execute", session_id: "a", code: "name = '.e' + 'nv'" });
    const read = await call("python_action", {
      action: "execute",
      session_id: "a",
      code: "print(open(name).read())",
    });
    assert.match(read, /PermissionError|FileNotFoundError|^\s*$/);
    const started = await call("shell", { command: "bash connect.sh; sleep 30", background: true });
    assert.match(started, /started bg/);
    await until(
      async () =>
        /done/.test(await call("view_background_processes", { id: /bg\d+/.exec(started)?.[0] ?? "" })),
      "it has run",
    );
    const host = await call("shell", { command: "curl --max-time 1 file:///dev/null", background: true });
    assert.match(host, /started host/);
    const listed = await call("view_background_processes", {});
    assert.match(listed, /bg1/);
    assert.match(listed, /host1/);
    const texts = [read, listed, await call("view_background_processes", { id: "bg1" })];
    assert.doesNotMatch(texts.join("\n"), new RegExp(SECRET));
    assert.equal(accepted(), 0);
  },
);

test("a terminal that only a host rule concerns is in the sandbox", { skip: withoutBoxes }, async (t) => {
  const { port, accepted } = await listen(t);
  const place = strictPlace(t, [{ domain: "x.test", decision: "deny" }]);
  place.write("connect.sh", `h=127; cat < /dev/tcp/$h.0.0.1/${port}; echo done`);
  const { client } = await connectMcp(t, place);
  const input = { command: "bash connect.sh", terminal_id: "one" };
  assert.match(textOf(await client.callTool({ name: "shell", arguments: input })), /done/);
  assert.equal(accepted(), 0);
});

test(
  "no call leads out of the sandbox, and explain and doctor say what holds",
  { skip: withoutBoxes },
  async (t) => {
    const place = strictPlace(t, [DENY_PATH]);
    const outside = await shell(place, "sh read.sh", "outside_sandbox=true");
    assert.equal(outside.ok ? "ok" : outside.error.code, "DENIED");
    assert.equal(existsSync(join(place.folder, "made")), false);
    const explained = await runCli(place, ["explain", "sh read.sh"]);
    assert.match(explained.stdout, /place: the sandbox of the session, because of strictDeny/);
    const doctor = await runCli(place, ["doctor"]);
    assert.match(doctor.stdout, /strictDeny: .*run only in a sandbox/);
  },
);

test("a sandbox that isolates nothing is none: the script is refused", async (t) => {
  const place = strictPlace(t, [DENY_PATH], { sandbox: "process" });
  const result = await shell(place, "sh read.sh", "--yes");
  assert.match(JSON.stringify(result), /strictDeny lets sh run only in a sandbox/);
  assert.equal(existsSync(join(place.folder, "made")), false);
});

test(
  "where no sandbox works, the script is refused, and other programs run",
  { skip: withoutBoxes },
  async (t) => {
    const place = strictPlace(t, [DENY_PATH]);
    const masked = ["/usr/bin/bwrap", "/usr/bin/podman", "/usr/bin/docker"].filter((file) =>
      existsSync(file),
    );
    const under = [
      "bwrap",
      "--dev-bind",
      "/",
      "/",
      ...masked.flatMap((file) => ["--ro-bind", "/dev/null", file]),
      "--",
    ];
    const call = (command: string) =>
      runProcess(place, ["call", "shell", `command=${command}`, "--json", "--yes"], { under });
    const { stdout } = await call("sh read.sh");
    assert.match(stdout, /strictDeny lets sh run only in a sandbox, and none works here/);
    assert.equal(existsSync(join(place.folder, "made")), false);
    await call("cp read.sh copy.sh");
    assert.match(readFileSync(join(place.folder, "copy.sh"), "utf8"), /cat/);
    assert.match((await runProcess(place, ["doctor"], { under })).stdout, /strictDeny: .*no sandbox works/);
  },
);

test("a project may switch strictDeny on, and not off", async (t) => {
  const place = createPlace(t);
  const shown = async (): Promise<string> =>
    (await runCli(place, ["config", "get", "strictDeny"])).stdout.trim();
  mkdirSync(join(place.folder, ".toolwright"));
  writeFileSync(join(place.folder, ".toolwright/config.json"), JSON.stringify({ strictDeny: true }));
  assert.match(await shown(), /true/);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ strictDeny: true }));
  writeFileSync(join(place.folder, ".toolwright/config.json"), JSON.stringify({ strictDeny: false }));
  assert.match(await shown(), /true/);
});
