import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "./support/cli.ts";

test("the name of a model may have dots in the path of a setting", async (t) => {
  const place = createPlace(t);
  const config = (...words: readonly string[]) => runCli(place, ["config", ...words]);
  for (const [path, value] of [
    ["models.openai/gpt-4.1.window", "1000"],
    ["models.openai/gpt-4.1.price", '{"input": 1, "output": 3}'],
    ["models.openai/gpt-4.1.price.input", "2"],
    ["models.ollama/qwen2.5.1", '{"window": 5}'],
    ["models.compatible.baseUrl", "http://127.0.0.1:9/v1"],
  ] as const)
    assert.equal((await config("set", path, value)).code, 0, path);
  const models = {
    "openai/gpt-4.1": { window: 1000, price: { input: 2, output: 3 } },
    "ollama/qwen2.5.1": { window: 5 },
    compatible: { baseUrl: "http://127.0.0.1:9/v1" },
  };
  const written = (): unknown => JSON.parse(readFileSync(join(place.home, "config.json"), "utf8"));
  assert.deepEqual(written(), { models });
  assert.equal((await config("get", "models.openai/gpt-4.1.window")).stdout, "1000\n");
  assert.equal((await config("get", "models.ollama/qwen2.5.1")).stdout, '{"window":5}\n');
  assert.equal((await config("unset", "models.openai/gpt-4.1")).code, 0);
  assert.equal((await config("unset", "models.ollama/qwen2.5.1.window")).code, 0);
  const { compatible } = models;
  assert.deepEqual(written(), { models: { compatible, "ollama/qwen2.5.1": {} } });
});

test("a misspelt field of a model is named, and is no model", async (t) => {
  const place = createPlace(t);
  for (const path of ["models.openai.baseurl", "models.openai/gpt-4.1.windw"]) {
    const { code, stderr } = await runCli(place, ["config", "set", path, "http://127.0.0.1:9/v1"]);
    const [, entry, field] = /^(.*)\.(\w+)$/.exec(path) ?? [];
    const wanted = field === "windw" ? "window" : "baseUrl";
    assert.equal(code, 2);
    assert.ok(
      stderr.startsWith(`toolwright: unknown field "${field}" of ${entry}\n  did you mean ${wanted}?`),
      stderr,
    );
  }
  assert.equal(existsSync(join(place.home, "config.json")), false);
});

test("config set says when another layer sets something else, and only then", async (t) => {
  const place = createPlace(t);
  const file = `${place.folder}/.toolwright/config.json`;
  mkdirSync(join(place.folder, ".toolwright"));
  writeFileSync(file, JSON.stringify({ mode: "ask", budget: { turns: 5 } }));
  const set = async (...words: string[]): Promise<string> =>
    (await runCli(place, ["config", "set", ...words])).stderr;
  assert.match(await set("mode", "edits"), new RegExp(`has no effect here: ${file} sets "ask"\n`));
  assert.match(await set("budget.turns", "50"), /has no effect here: .* sets 5\n/);
  assert.equal(await set("mode", "ask"), "");
  assert.equal(await set("budget.turns", "5"), "");
  assert.equal(await set("timeoutSeconds", "60"), "");
  assert.match(
    await set("mode", "yolo", "--project"),
    /has no effect here: .*home-[^/]*\/config\.json sets "ask"; until you trust this folder/,
  );
  const environment = { TOOLWRIGHT_MODE: "plan" };
  const { stderr } = await runCli(place, ["config", "set", "mode", "edits"], { environment });
  assert.match(stderr, /has no effect here: environment TOOLWRIGHT_MODE sets "plan"\n/);
});
