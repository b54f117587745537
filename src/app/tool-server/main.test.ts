import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { main, type ServerProcess } from "./main.ts";

for (const [args, says, env = {}] of [
  [["--stdio", "--port", "1"], /--stdio cannot be combined with --socket or --port/],
  [["--port", "x"], /--port must be a number from 0 to 65535/],
  [["--socket", "s", "--port", "1"], /--socket and --port cannot be combined/],
  [["--nope"], /--nope/],
  [["--socket", "/no/folder/s"], /cannot listen on \/no\/folder\/s: ENOENT\n/],
  [["--port", "0"], /TOKEN is empty or contains a space/, { TOOLWRIGHT_TOOL_SERVER_TOKEN: "" }],
  [["--host", "::1"], /TOKEN is empty or contains a space/, { TOOLWRIGHT_TOOL_SERVER_TOKEN: "a b" }],
] as const)
  test(`toolwright-tool-server ${args.join(" ")} exits 2 and says why`, async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const own = { stdin, stdout, stderr, env, on: () => own } as unknown as ServerProcess;
    assert.equal(await main(args, own), 2);
    assert.match(String(stderr.read()), says);
  });
