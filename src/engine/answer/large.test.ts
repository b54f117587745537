import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../app/host/create-engine.ts";
import type { AnyTool } from "../../core/tool.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createMasker } from "../../secrets/mask.ts";
import { maskJson } from "../../secrets/mask-json.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { textOf } from "../../util/text/text-of.ts";
import { LARGE } from "./truncate.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const KEY = [
  "-----BEGIN PRIVATE KEY-----",
  ...Array.from({ length: 20 }, (_, line) => `${line % 10}bCdEfGh`.repeat(8)),
  "-----END PRIVATE KEY-----",
].join("\n");
const line = (index: number): string => `line ${index} of a long text without anything of interest\n`;

/** A text of lines, of at least this length. */
function lines(length: number): string {
  const count = Math.ceil(length / line(0).length);
  return Array.from({ length: count }, (_, index) => line(index)).join("");
}

interface Answered {
  readonly ok: boolean;
  /** What the model sees. */
  readonly shown: string;
  /** What is stored, if it was cut. */
  readonly stored: string;
  readonly data: unknown;
  /** Turns of the event loop while the call ran. */
  readonly turns: number;
}

async function answer(output: unknown, more: Partial<AnyTool> = {}): Promise<Answered> {
  const artifacts = createMemoryArtifacts();
  const tool = defineTool({
    name: "large",
    description: "Returns much.",
    risk: "low",
    effects: "none",
    ...more,
    run: () => output,
  });
  const engine = createEngine({ tools: [tool], artifacts });
  let turns = 0;
  let isRunning = true;
  const count = (): void => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  const result = await engine.run({ id: "1", name: "large", input: {} });
  isRunning = false;
  const { artifactId } = result.meta.truncated ?? {};
  const stored = artifactId === undefined ? "" : await readAll(artifacts, artifactId);
  await engine.close();
  const { ok } = result;
  return { ok, shown: textOf(result.content), stored, data: ok ? result.data : undefined, turns };
}

async function readAll(artifacts: ReturnType<typeof createMemoryArtifacts>, id: string): Promise<string> {
  let text = "";
  for (let at = 0; ;) {
    const slice = await artifacts.read(id, at, 4 * LARGE);
    if (slice === undefined) return text;
    text += slice.text;
    at = slice.end;
    if (slice.end >= slice.size) return text;
  }
}

const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, text: `the text of row ${id}`, tags: ["a"] }));

for (const [what, output] of Object.entries({
  "a text": lines(4 * LARGE),
  "a list": rows,
  "a list of numbers": Array.from({ length: 110_000 }, (_, index) => index),
  "a text in JSON": { text: lines(4 * LARGE) },
}))
  test(`other work runs while ${what} of megabytes is formatted`, async () => {
    const { ok, stored, turns } = await answer(output);
    assert.ok(ok);
    assert.ok(
      stored === (typeof output === "string" ? output : JSON.stringify(output)),
      "the whole is stored",
    );
    assert.ok(turns > stored.length / LARGE, `${turns} turns`);
  });

for (const isUntrusted of [false, true])
  for (const [what, secret] of Object.entries({
    "a token": `token: ${TOKEN}\n`,
    "a private key": `${KEY}\n`,
    "a token in colours": `token: \u001b[31m${TOKEN}\u001b[0m\n`,
    "a private key in colours": KEY.replaceAll(/^.*$/gm, "\u001b[32m$&\u001b[0m") + "\n",
  }))
    test(`${what} is masked wherever a piece of a long text ends, ${isUntrusted ? "" : "not "}from outside`, async () => {
      // Nothing is cut, so that all of it is seen.
      const limits = { shape: "text", maxBytes: 8 * LARGE } as const;
      for (const before of [10, secret.length - 5]) {
        const start = lines(LARGE).slice(0, LARGE - before);
        const { shown } = await answer(`${start}\n${secret}${lines(LARGE)}`, { isUntrusted, limits });
        assert.ok(shown.length > 2 * LARGE);
        for (const clear of [TOKEN.slice(0, 20), TOKEN.slice(-20), "bCdEfGh1", "bCdEfGh9bCdEfGh"])
          assert.ok(!shown.includes(clear), `${before}: ${clear}`);
        assert.ok(shown.includes(line(Math.ceil(LARGE / line(0).length) - 1)));
      }
    });

for (const isUntrusted of [false, true])
  test(`nothing that is cleaned as a whole is split in a long line, ${isUntrusted ? "" : "not "}from outside`, async () => {
    const limits = { shape: "text", maxBytes: 8 * LARGE } as const;
    const long = `sk-proj-${"aB3dE5gH7j".repeat(12)}`;
    const coloured = `${TOKEN.slice(0, 20)}\u001b[31m${TOKEN.slice(20)}`;
    const fill = "- ".repeat(LARGE / 2);
    for (const [secret, clear] of [
      [long, "aB3dE5gH7j"],
      [`Authorization: Bearer ${"kL3mN5pQ7r".repeat(12)}`, "kL3mN5pQ7r"],
      [coloured, TOKEN.slice(30)],
    ] as const)
      for (const before of [22, 60]) {
        // The control character has each piece cleaned by itself.
        const start = `\u0007${fill.slice(0, LARGE - before - 3)} x`;
        const { shown } = await answer(`${start} ${secret} ${fill.slice(0, 2000)}`, { isUntrusted, limits });
        assert.ok(shown.length > LARGE);
        assert.ok(!shown.includes(clear), `${before}: ${secret.slice(0, 12)}`);
      }
    const { shown } = await answer(`\u0007${fill.slice(0, LARGE - 2)}\u{1f600} ${fill.slice(0, 2000)}`, {
      isUntrusted,
      limits,
    });
    assert.ok(shown.includes("\u{1f600}"));
  });

test("a long list has its secrets masked as a short one has, by the names of its fields too", async () => {
  const secrets = [{ password: "correct horse battery" }, { text: TOKEN }, { [TOKEN]: 1 }, [TOKEN, ["x"]]];
  const value = rows.map((row, index) => (index % 9_000 === 7 ? (secrets[index % 4] ?? row) : row));
  for (const output of [value, { items: value, count: 3, nested: { token: TOKEN } }]) {
    const { stored } = await answer(output);
    assert.ok(stored === maskJson(output, createMasker()).text);
  }
});

test("an answer longer than the limit is no answer", async () => {
  const { ok, shown } = await answer("x".repeat(256_000_001));
  assert.equal(ok, false);
  assert.match(shown, /the tool returned more than 256 million characters/);
});
