// Typical mistakes at the command line: each is answered with a message that says what to do, and its own exit code.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WIRES } from "../support/models/provider-streams.ts";
import { serveProvider } from "../support/servers/provider-server.ts";
import { MISTAKES } from "./support/mistakes.ts";
import { createPlace, runCli, type Place } from "./support/cli.ts";

for (const { what, args, says, code = 2, config, environment = {} } of MISTAKES) {
  test(`${what}: ${args.join(" ")} says what to do`, async (t) => {
    const place = createPlace(t);
    place.write("s.jsonl", '{"text": "ok"}\n');
    if (config !== undefined) writeConfig(place, config);
    const done = await runCli(place, args, { environment });
    assert.match(done.stderr, says);
    assert.doesNotMatch(done.stderr, /internal error|\n\s+at /);
    // The message with its problems or its hint, and at most one warning; a task also says what it spent and how it is resumed.
    const lines = done.stderr
      .trim()
      .split("\n")
      .filter((line) => !/^(?:\d+ turn|session )/.test(line));
    assert.ok(lines.length <= 4, done.stderr);
    assert.equal(done.code, code, done.stderr);
  });
}

test("a port in use is named, with what to do", async (t) => {
  const place = createPlace(t);
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const { code, stderr } = await runCli(place, ["mcp", "--http", port]);
  assert.notEqual(code, 0);
  assert.match(stderr, new RegExp(`${port}.*(?:in use|EADDRINUSE)`, "s"));
  assert.doesNotMatch(stderr, /internal error/);
});

function writeConfig({ home }: Place, text: string): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "config.json"), text);
}

test("text on standard input without a command is not lost in silence", async (t) => {
  const { code, stderr, stdout } = await runCli(createPlace(t), [], { input: "hi\n" });
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /toolwright run takes it as one task, toolwright chat each line as one message/);
  const none = await runCli(createPlace(t), []);
  assert.equal(none.code, 0);
  assert.match(none.stdout, /^Run tools for AI agents/);
});

test("a web page in place of an API is called that, and is not asked again", async (t) => {
  const page = { body: "<html>Welcome</html>", headers: { "content-type": "text/html; charset=utf-8" } };
  const server = await serveProvider(t, [page, page]);
  const { code, stderr } = await runCli(createPlace(t), ["run", "x", "-m", "compatible/x"], {
    environment: { OPENAI_COMPATIBLE_BASE_URL: server.url },
  });
  assert.equal(code, 1);
  assert.equal(server.requests.length, 1);
  assert.match(stderr, /answered with a web page, not with a model's answer\n {2}check the address: .*\/v1/);
});

test("an answer that breaks off is not called an unreachable server", async (t) => {
  const whole = WIRES.compatible.stream({ text: "A long answer that never ends." });
  const half = { body: whole.slice(0, whole.length / 2), then: "drop" } as const;
  const server = await serveProvider(t, [half, half, half, half]);
  const { stderr } = await runCli(createPlace(t), ["run", "x", "-m", "compatible/x"], {
    environment: { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` },
  });
  assert.match(stderr, /broke off; send the message again/);
});
