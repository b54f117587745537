import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { createEngine } from "toolwright";
import { shapes } from "./fixtures/types/shapes.ts";

const FOLDER = join(import.meta.dirname, "fixtures/types");

interface CompileError {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Misuse {
  /** Its lines in the file, from the first to before the second. */
  readonly lines: readonly [number, number];
  readonly code: string;
  readonly texts: readonly string[];
}

describe("the built declarations", () => {
  let errors: readonly CompileError[] = [];

  before(() => {
    errors = compile();
  });

  it("accept each tool that can be written with a schema library", () => {
    assert.ok(shapes.length >= 60, `${shapes.length} shapes`);
    assert.deepEqual(
      errors.filter(({ file }) => file !== "misuses.ts"),
      [],
    );
  });

  const misuses = readMisuses();

  it("are tried with thirty misuses", () => {
    assert.ok(misuses.length >= 30, `${misuses.length} misuses`);
  });

  for (const { lines, code, texts } of misuses) {
    it(`refuse ${code}`, () => {
      const found = errors.filter(
        ({ file, line }) => file === "misuses.ts" && line >= lines[0] && line < lines[1],
      );
      const [error] = found;
      assert.equal(found.length, 1, found.map(({ text }) => text).join("\n"));
      assert.deepEqual(
        texts.filter((text) => error?.text.includes(text) !== true),
        [],
        error?.text,
      );
      // Of an overloaded function the compiler says so first.
      assert.equal(
        error?.text.includes("No overload"),
        texts.some((text) => text.startsWith("No overload")),
      );
    });
  }
});

for (const [index, { tool, input }] of shapes.entries()) {
  it(`shape ${index + 1} is added to an engine and answers its call`, async () => {
    const engine = createEngine({ tools: [tool] });
    const result = await engine.run({ id: "1", name: tool.name, input });
    assert.ok(result.ok, JSON.stringify(result.content));
  });
}

/** Returns the errors of all fixtures, from one run of the compiler. */
function compile(): readonly CompileError[] {
  const { stdout } = spawnSync("tsc", ["-p", FOLDER, "--pretty", "false"], { encoding: "utf8" });
  return stdout
    .split(/\n(?=\S)/)
    .filter((text) => text !== "")
    .map((text) => {
      const [, file = text, line = ""] = /^.*?([^/]+)\((\d+),/.exec(text) ?? [];
      return { file, line: Number(line), text };
    });
}

/** Returns each statement of the fixture, with the lines above it that say what its error has. */
function readMisuses(): readonly Misuse[] {
  const lines = readFileSync(join(FOLDER, "misuses.ts"), "utf8").split("\n");
  const isMark = (index: number): boolean => lines[index]?.startsWith("//! ") === true;
  const starts = lines.flatMap((_, index) => (isMark(index) && !isMark(index - 1) ? [index] : []));
  return starts.map((start, order) => {
    const end = starts[order + 1] ?? lines.length;
    const own = lines.slice(start, end);
    const code = own.filter((line) => !line.startsWith("//")).join(" ");
    const texts = own.filter((line) => line.startsWith("//! ")).map((line) => line.slice("//! ".length));
    return { lines: [start + 1, end + 1], code: code.replaceAll(/\s+/g, " ").trim(), texts };
  });
}
