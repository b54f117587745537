// Two hundred secrets of all formats through every way out; prints the table of formats and ways.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createMasker } from "../../src/secrets/mask.ts";
import { createPlace, runCli } from "../flows/support/cli.ts";
import { startServeProcess } from "../flows/support/serve.ts";
import { secretCases } from "../support/generators/secret-formats.ts";
import {
  leaksOf,
  lineOf,
  waysOfAgent,
  waysOfEngine,
  waysOfProxy,
} from "../support/generators/secret-ways.ts";

const SEEDS = [201, 202, 203, 204];

test("200 secrets of all formats leave by no way: a table of formats and ways", async (t) => {
  const leaks: string[] = [];
  const table = new Map<string, Map<string, number>>();
  let count = 0;
  for (const seed of SEEDS) {
    const cases = [...secretCases(seed)];
    count += cases.length;
    const place = createPlace(t);
    const ways = {
      ...(await waysOfEngine(t, cases)),
      ...(await waysOfAgent(t, cases)),
      ...(await waysOfProxy(t, cases)),
    };
    place.write("all.txt", cases.map(lineOf).join("\n"));
    await runCli(place, ["call", "read_file", "path=all.txt"]);
    await runCli(place, ["call", "grep", "pattern=.", "path=all.txt"]);
    const served = await startServeProcess(t, place);
    const shown = await Promise.all(
      ["/api/calls", "/api/trace"].map(async (path) => {
        const headers = { authorization: `Bearer ${served.token}` };
        return (await fetch(new URL(path, served.address), { headers })).text();
      }),
    );
    await served.stop();
    const all = { ...ways, console: shown.join("\n") };
    leaks.push(...leaksOf(cases, all));
    for (const one of cases) {
      const row = table.get(one.format) ?? new Map<string, number>();
      table.set(one.format, row);
      for (const [way, text] of Object.entries(all))
        row.set(way, (row.get(way) ?? 0) + (text.includes(one.secret) ? 1 : 0));
    }
  }
  const ways = [...(table.values().next().value?.keys() ?? [])];
  t.diagnostic(`${count} secrets of ${table.size} formats, ${ways.length} ways; in clear, by way:`);
  t.diagnostic(`format | ${ways.join(" | ")}`);
  for (const [format, row] of table)
    t.diagnostic(`${format} | ${ways.map((way) => row.get(way)).join(" | ")}`);
  assert.ok(count >= 200 && table.size >= 52);
  assert.deepEqual(leaks, []);
});

/** Packages with sources that the rules were not written against. */
const PACKAGES =
  "rxjs zod react-dom hono lodash undici typescript openai playwright-core ajv graphql protobufjs knip langsmith langchain highlight.js mockttp linkedom markdown-to-jsx web-streams-polyfill".split(
    " ",
  );

test("at most one mask for each megabyte of the sources of 20 packages", (t) => {
  const { find } = createMasker();
  let [bytes, masks] = [0, 0];
  for (const name of PACKAGES) {
    const folder = join(import.meta.dirname, "../../node_modules", name);
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:[cm]?[jt]sx?|json|md)$/.test(file)) continue;
      const text = readFileSync(join(folder, file), "utf8");
      bytes += text.length;
      for (const [start, end] of find(text) ?? []) {
        masks += 1;
        const line = text.slice(text.lastIndexOf("\n", start) + 1, end);
        t.diagnostic(`${name}/${file}: ${line.slice(-100)}`);
      }
    }
  }
  const perMegabyte = masks / (bytes / 1e6);
  t.diagnostic(`${masks} masks in ${(bytes / 1e6).toFixed(1)} MB: ${perMegabyte.toFixed(2)} for each`);
  assert.ok(bytes > 20e6 && perMegabyte <= 1);
});
