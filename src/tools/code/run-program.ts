import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { readFile } from "node:fs/promises";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { packageFile } from "../../system/package-files.ts";
import type { OutputChunk } from "../../system/process/output.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { startThread } from "../../system/start-thread.ts";
import type { ProgramMessage, ProgramRequest } from "./messages.ts";

export interface ProgramOptions extends Omit<ProgramRequest, "module" | "answered"> {
  readonly signal: AbortSignal;
  /** Runs the calls that the program waits for; returns an answer for each. Never rejects. */
  readonly onCalls: (calls: readonly ProgramCall[]) => Promise<readonly CallAnswer[]>;
  readonly onPrinted: (chunk: OutputChunk) => void;
}

/** A call of a program; without a name, a request for declarations. */
export interface ProgramCall {
  readonly name: string | null;
  readonly input: unknown;
}

/** The value of a call, or the properties of the error that it throws. */
export type CallAnswer = { readonly value: unknown } | { readonly error: JsonObject };

/**
 * Runs JavaScript in an interpreter that has nothing but `tools`, `console` and the language itself. Returns the JSON of the result; undefined if
 * there is none. Rejects with `TOOL_FAILED` if the program fails or exceeds a limit, and as soon as the signal is aborted and its calls
 * have ended.
 */
export async function runProgram(options: ProgramOptions): Promise<string | undefined> {
  const { signal, onCalls, onPrinted, ...request } = options;
  const module = await loadInterpreter();
  signal.throwIfAborted();
  const ended = Promise.withResolvers<string | undefined>();
  let answering: Promise<void> = Promise.resolve();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const started: ProgramRequest = { ...request, module, answered };
  const worker = startThread("program-worker", { workerData: started, maxHeapMb: MAX_HEAP_MB });
  const answer = async (text: string): Promise<void> => {
    const calls = JSON.parse(text) as readonly NumberedCall[];
    const answers = await onCalls(calls.map(([, name, input]) => ({ name, input })));
    const rows = answers.map((one, index) => {
      const [number] = calls[index] ?? [];
      return "value" in one ? [number, true, one.value] : [number, false, one.error];
    });
    worker.postMessage(JSON.stringify(rows));
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  const take = (message: ProgramMessage): void => {
    if (message.type === "printed") onPrinted(message);
    else if (message.type === "returned") ended.resolve(message.value);
    else if (message.type === "failed") ended.reject(failed(message));
    else {
      answering = answer(message.calls);
      answering.catch(ended.reject);
    }
  };
  worker.on("message", take);
  worker.once("error", (cause) => ended.reject(crashed(cause)));
  worker.once("exit", () => ended.reject(crashed(new Error("its thread ended"))));
  try {
    return await untilAborted(ended.promise, signal);
  } finally {
    await worker.terminate();
    // The signal of the call aborts its calls too.
    await answering.catch(() => undefined);
  }
}

type NumberedCall = readonly [number: number, name: string | null, input: unknown];

const MAX_HEAP_MB = 128;

let loading: Promise<object> | undefined;

/** Compiles the interpreter once: threads share its code, also what is optimized later. */
function loadInterpreter(): Promise<object> {
  loading ??= readInterpreter().then(compileWasm);
  loading.catch(() => (loading = undefined));
  return loading;
}

/** The types of Node have no values of WebAssembly. */
function compileWasm(bytes: Uint8Array): Promise<object> {
  const { WebAssembly: wasm } = globalThis as unknown as {
    readonly WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
  };
  return wasm.compile(bytes);
}

/** The package has it compressed, at a third of its size. */
async function readInterpreter(): Promise<Uint8Array> {
  if (!import.meta.url.endsWith(".ts"))
    return promisify(brotliDecompress)(await readFile(packageFile("dist/quickjs.wasm.br")));
  return readFile(
    packageFile("node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm"),
  );
}

function failed({ message, limit }: Extract<ProgramMessage, { readonly type: "failed" }>): ToolError {
  return new ToolError("TOOL_FAILED", `the program ${limit === true ? "was stopped" : "failed"}: ${message}`);
}

function crashed(cause: unknown): ToolError {
  return new ToolError("TOOL_FAILED", `the interpreter crashed: ${errorMessage(cause)}`, { cause });
}
