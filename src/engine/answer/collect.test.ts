import assert from "node:assert/strict";
import { test } from "node:test";
import type { Key, ToolContext } from "../../core/context.ts";
import { ArtifactsKey, type Artifacts } from "../../core/store/artifacts.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { collect } from "./collect.ts";

const PART = "x".repeat(1024 * 1024);
const END = "the end of the text";

/** More text than is held, and then something that is no text. */
async function* mixed(): AsyncGenerator {
  for (let part = 0; part < 5; part += 1) yield PART;
  yield END;
  yield { count: 5 };
  yield "more";
}

function contextWith(artifacts: Artifacts | undefined): ToolContext {
  const find = (key: Key<unknown>): unknown => (key.name === ArtifactsKey.name ? artifacts : undefined);
  const { signal } = new AbortController();
  return { signal, emit: () => undefined, find } as unknown as ToolContext;
}

test("a long text followed by another item is stored whole in an artifact, which its item names", async () => {
  const artifacts = createMemoryArtifacts();
  const [text, ...others] = (await collect(mixed(), contextWith(artifacts))) as readonly unknown[];
  assert.deepEqual(others, [{ count: 5 }, "more"]);
  const total = 5 * PART.length + END.length;
  const [, of, id = ""] =
    /\n\[truncated: the first \d+ of (\d+) characters; .*id="(.+)"\]$/.exec(String(text)) ?? [];
  assert.equal(of, String(total));
  const stored = await artifacts.read(id, total - END.length, END.length);
  assert.equal(stored?.text, END);
});

test("without artifacts, the item says that the rest was not stored", async () => {
  const [text] = (await collect(mixed(), contextWith(undefined))) as readonly unknown[];
  assert.match(String(text), /\n\[truncated: the first \d+ of \d+ characters; the rest was not stored\]$/);
});

test("a short text before another item stays unchanged", async () => {
  async function* short(): AsyncGenerator {
    yield "a";
    yield "b";
    yield 1;
  }
  assert.deepEqual(await collect(short(), contextWith(undefined)), ["ab", 1]);
});
