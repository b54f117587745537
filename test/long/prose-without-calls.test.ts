import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { createTextReader } from "../../src/models/text-calls/create-text-reader.ts";
import type { Piece } from "../../src/models/text-calls/read/emitter.ts";

const text = { type: "string" } as const;
/** Tools with names that prose and code contain. */
const TOOLS = [
  "read_file",
  "write_file",
  "shell",
  "search",
  "get",
  "test",
  "find",
  "list",
  "run_command",
].map((name) => ({
  name,
  input: {
    type: "object",
    properties: { path: text, query: text, command: text, count: { type: "integer" } },
  },
}));
const MIN_BYTES = 20_000_000;
const CHUNKS = [1 << 20, 4093, 61];

function callsIn(source: string, length: number): readonly Piece[] {
  const reader = createTextReader({ dialect: "auto", tools: TOOLS, unlisted: "problem" });
  const pieces: Piece[] = [];
  for (let at = 0; at < source.length; at += length)
    pieces.push(...reader.push(source.slice(at, at + length)));
  pieces.push(...reader.end("stop"));
  return pieces.filter(({ kind }) => kind === "call");
}

test("nothing in 20 MB of READMEs and sources of npm packages is a call, however it is cut", () => {
  const files = globSync("node_modules/**/*.{md,js,ts,mjs,cjs}", { exclude: ["**/.cache/**"] }).sort();
  let bytes = 0;
  let read = 0;
  const calls: string[] = [];
  // Every seventh file, so that all packages have their share.
  for (let start = 0; start < 7 && bytes < MIN_BYTES; start += 1) {
    for (let index = start; index < files.length && bytes < MIN_BYTES; index += 7) {
      const file = files[index] ?? "";
      if (!statSync(file).isFile() || statSync(file).size > 300_000) continue;
      const source = readFileSync(file, "utf8");
      bytes += source.length;
      read += 1;
      const length = CHUNKS[read % CHUNKS.length] ?? 1;
      for (const piece of callsIn(source, length)) calls.push(`${file}: ${JSON.stringify(piece)}`);
    }
  }
  assert.ok(bytes >= MIN_BYTES, `only ${bytes} characters in ${read} files`);
  assert.deepEqual(calls, []);
});
