import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const OPEN = pathToFileURL(join(import.meta.dirname, "../../src/doors/models.ts")).href;

/** Returns the packages that a new process has loaded before and after a script. */
function packagesOf(before: string, after: string): readonly (readonly string[])[] {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ load(url, context, next) {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name !== undefined) loaded.add(name);
      return next(url, context);
    } });
    const { openModel } = await import(${JSON.stringify(OPEN)});
    const options = { environment: {}, apiKey: "k", retry: { attempts: 1 },
      fetch: () => Promise.resolve(new Response("{}", { status: 400 })) };
    const request = { instructions: "", messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }], tools: [],
      signal: new AbortController().signal };
    const hear = async (model) => { try { for await (const part of model.stream(request)); } catch {} };
    ${before}
    const first = [...loaded];
    ${after}
    console.log(JSON.stringify([first, [...loaded]]));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "[]") as readonly (readonly string[])[];
}

/** The provider package that a model's first request loads; Ollama needs none. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "anthropic/claude-sonnet-4-5": ["@ai-sdk/anthropic"],
  "openai/gpt-5": ["@ai-sdk/openai"],
  "google/gemini-2.5-pro": ["@ai-sdk/google"],
  "vllm/some": ["@ai-sdk/openai-compatible"],
  "ollama/qwen3": [],
};
const PROVIDERS = new Set(Object.values(PACKAGES).flat());

for (const [id, expected] of Object.entries(PACKAGES)) {
  test(`opening ${id} loads no provider package, and its first request loads ${expected.join() || "none"}`, () => {
    const [before, after] = packagesOf(
      `const model = await openModel(${JSON.stringify(id)}, options);`,
      "await hear(model);",
    );
    const isProvider = (name: string): boolean => PROVIDERS.has(name);
    assert.deepEqual(before?.filter(isProvider), []);
    assert.deepEqual(after?.filter(isProvider), expected);
  });
}
