import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryArtifacts, runTool, textOf } from "../../../test/support/engines/tool-context.ts";
import type { Artifacts } from "../../core/store/artifacts.ts";
import { ToolError } from "../../core/errors.ts";
import { readArtifact } from "./read-artifact.ts";

async function keeping(text: string): Promise<Artifacts> {
  const artifacts = memoryArtifacts();
  await artifacts.create().write(text);
  return artifacts;
}

const tool = readArtifact();
const id = "artifact-1";

test("a part is read, and the answer says how to continue", async () => {
  const artifacts = await keeping("0123456789");
  const reply = await runTool(tool, { id, start: 2, length: 3 }, { artifacts });
  assert.equal(textOf(reply), "[bytes 2 to 5 of 10; continue with start=5]\n234");
  assert.deepEqual(reply.data, { id, start: 2, end: 5, size: 10 });
  assert.equal(textOf(await runTool(tool, { id }, { artifacts })), "[bytes 0 to 10 of 10]\n0123456789");
  assert.match(
    textOf(await runTool(tool, { id, start: 10 }, { artifacts })),
    /start=10 is past the end: the artifact has 10 bytes/,
  );
});

test("lines are found by a pattern, with their offsets", async () => {
  const artifacts = await keeping("one\ntwo\nthree\nüt\n");
  const reply = await runTool(tool, { id, pattern: "^.?t" }, { artifacts });
  assert.equal(textOf(reply), "line 2, start=4: two\nline 3, start=8: three\nline 4, start=14: üt");
  assert.equal(textOf(await runTool(tool, { id, pattern: "nope" }, { artifacts })), "[no lines match]");
});

test("many matching lines are cut, and a pattern cannot make it hang", async () => {
  const artifacts = await keeping("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\n".repeat(2000));
  const many = textOf(await runTool(tool, { id, pattern: "a" }, { artifacts }));
  assert.match(many, /^\[truncated: lines 1 to 50 of the 2000 that match; continue with start=1900\]\n/);
  assert.equal(many.split("\n").length, 51);
  assert.match(textOf(await runTool(tool, { id, pattern: "^(a+)+$" }, { artifacts })), /no lines match/);
});

test("an unknown id, a bad pattern and a missing store are different errors", async () => {
  const artifacts = await keeping("x");
  const cases = [
    [{ id: "nope" }, artifacts, "TOOL_FAILED"],
    [{ id: "nope", pattern: "x" }, artifacts, "TOOL_FAILED"],
    [{ id, pattern: "(" }, artifacts, "INVALID_INPUT"],
    [{ id }, undefined, "MISSING_CONTEXT"],
  ] as const;
  for (const [input, store, code] of cases) {
    const options = store === undefined ? {} : { artifacts: store };
    await assert.rejects(
      runTool(tool, input, options),
      (error) => error instanceof ToolError && error.code === code,
      code,
    );
  }
});

test("continuing as the notice says returns every matching line once", async () => {
  const artifacts = await keeping(
    Array.from({ length: 320 }, (_, at) => `line ${at}${at % 2 ? " odd" : ""}\n`).join(""),
  );
  const seen: string[] = [];
  for (let start: number | undefined = 0; start !== undefined;) {
    const reply = await runTool(tool, { id, pattern: "odd", start }, { artifacts });
    const data = reply.data as { matches: { text: string }[]; total: number; next_start?: number };
    assert.equal(data.total, 160);
    seen.push(...data.matches.map(({ text }) => text));
    start = data.next_start;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 160 }, (_, at) => `line ${2 * at + 1} odd`),
  );
  const past = await runTool(tool, { id, pattern: "odd", start: 99_999 }, { artifacts });
  assert.equal(textOf(past), "[no lines match from start=99999; all 160 are before it]");
});

test("a pattern together with a length is a problem", async () => {
  assert.equal((await tool.check?.({ id, pattern: "x", length: 1 }, undefined as never))?.length, 1);
  assert.equal((await tool.check?.({ id, pattern: "x" }, undefined as never))?.length, 0);
});
