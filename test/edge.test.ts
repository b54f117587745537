import assert from "node:assert/strict";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { EDGE_PROGRAMS } from "./support/edge-programs.ts";

/** What every browser and worker has; nothing of Node. */
const WEB = {
  AbortController,
  AbortSignal,
  DOMException,
  EventTarget,
  Event,
  ReadableStream,
  Response,
  Request,
  Headers,
  TextDecoder,
  TextEncoder,
  TextDecoderStream,
  TransformStream,
  WritableStream,
  Blob,
  FormData,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  crypto,
  fetch,
  performance,
  queueMicrotask,
  structuredClone,
};

/** Runs a program of the built library where code cannot be generated, as in workerd without `nodejs_compat`; timers are numbers there. */
async function runAtTheEdge(contents: string): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: {
      contents: `${contents}\nglobalThis.outcome = main();`,
      resolveDir: process.cwd(),
      sourcefile: "app.js",
    },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    conditions: ["workerd", "worker"],
    target: "es2024",
    logLevel: "error",
  });
  const timers = new Map<number, NodeJS.Timeout>();
  const context = createContext(
    {
      ...WEB,
      console,
      setTimeout(callback: () => void, ms: number) {
        const id = timers.size + 1;
        timers.set(id, setTimeout(callback, ms));
        return id;
      },
      clearTimeout: (id: number) => clearTimeout(timers.get(id)),
    },
    { codeGeneration: { strings: false, wasm: false } },
  );
  const text = outputFiles[0]?.text ?? "";
  assert.doesNotMatch(text, /from ?"node:|require\("node:/);
  runInContext(text, context);
  const outcome: unknown = await (context as { readonly outcome: unknown }).outcome;
  // Objects of the other realm have other prototypes.
  return JSON.parse(JSON.stringify(outcome)) as unknown;
}

for (const { name, contents, outcome } of EDGE_PROGRAMS)
  test(name, async () => assert.deepEqual(await runAtTheEdge(contents), outcome));
