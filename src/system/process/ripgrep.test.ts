import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolError } from "../../core/errors.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { runRipgrep, type RipgrepEnd, type RipgrepOptions } from "./ripgrep.ts";

interface Ran extends RipgrepEnd {
  readonly lines: readonly string[];
}

async function rg(args: readonly string[], options: Partial<RipgrepOptions> = {}): Promise<Ran> {
  const lines: string[] = [];
  const end = await runRipgrep({
    args,
    cwd: "/",
    signal: new AbortController().signal,
    onLine(line) {
      lines.push(line);
      return true;
    },
    ...options,
  });
  return { ...end, lines };
}

test("lines are delivered one by one, with the exit code", async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, "a"), "x1\ny\nx2");
  assert.deepEqual(await rg(["x", "./"], { cwd }), { lines: ["./a:x1", "./a:x2"], exitCode: 0, errors: "" });
  assert.deepEqual(await rg(["z", "./"], { cwd }), { lines: [], exitCode: 1, errors: "" });
  const bad = await rg(["("], { cwd });
  assert.equal(bad.exitCode, 2);
  assert.match(bad.errors, /unclosed group/);
});

test("input may be a text or chunks", async () => {
  async function* pieces(): AsyncGenerator<string> {
    for (let number = 0; number < 50_000; number += 1) yield `line ${number}\n`;
  }
  assert.deepEqual((await rg(["b", "-"], { stdin: "a\nb\n" })).lines, ["b"]);
  assert.deepEqual((await rg(["^line 4999.$", "-"], { stdin: pieces() })).lines.length, 10);
});

test("a start that fails for another reason than the program does not ask for an installation", async () => {
  await assert.rejects(rg(["x".repeat(200_000), "-"]), ({ hint, details }: ToolError) => {
    assert.deepEqual([hint, details?.["errno"]], [undefined, "E2BIG"]);
    return true;
  });
});

test("a very long line is cut, and the next one is complete", async () => {
  const { lines } = await rg(["x", "-"], { stdin: `${"x".repeat(1_000_000)}\nx\n` });
  assert.equal(lines.length, 2);
  assert((lines[0]?.length ?? 0) < 200_000);
  assert.equal(lines[1], "x");
});

test("it stops when onLine returns false", async () => {
  const taken: string[] = [];
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield "x\n".repeat(1000);
  }
  const { exitCode } = await rg(["--line-buffered", "x", "-"], {
    stdin: endless(),
    onLine(line) {
      taken.push(line);
      return taken.length < 3;
    },
  });
  assert.equal(exitCode, null);
  assert.equal(taken.length, 3);
});

test("an abort rejects with the signal's reason", async () => {
  const controller = new AbortController();
  async function* endless(): AsyncGenerator<string> {
    yield "x\n";
    for (;;) yield "y\n".repeat(1000);
  }
  const running = rg(["--line-buffered", "x", "-"], {
    stdin: endless(),
    signal: controller.signal,
    onLine() {
      controller.abort(new Error("enough"));
      return true;
    },
  });
  await assert.rejects(running, /enough/);
});

test("when `until` is aborted it ends with the lines delivered so far", async () => {
  const over = new AbortController();
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield "x\n".repeat(1000);
  }
  const taken: string[] = [];
  const end = await rg(["--line-buffered", "x", "-"], {
    stdin: endless(),
    until: over.signal,
    onLine(line) {
      taken.push(line);
      over.abort();
      return true;
    },
  });
  assert.equal(end.exitCode, null);
  assert(taken.length > 0);
  const late = await rg(["x", "-"], { stdin: "x\n", until: AbortSignal.abort() });
  assert.deepEqual(late, { lines: [], exitCode: null, errors: "" });
});
