// Runs one program in an interpreter of its own, in a thread that can be ended at any time.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import release from "@jitl/quickjs-wasmfile-release-sync";
import type { ProgramMessage, ProgramRequest } from "./messages.ts";
import { PRELUDE, PROGRAM_FILE } from "./prelude.ts";

const { module, code, names, maxBytes, maxCalls, maxPrinted, answered } = workerData as ProgramRequest;
/** For the description of an error in a program that has used all of its memory. */
const RESERVE_BYTES = 8 * 1024 * 1024;
const STACK_BYTES = 512 * 1024;

function send(message: ProgramMessage): void {
  parentPort?.postMessage(message);
}

// The types of the package describe another form of it.
const variant = newVariant(release as unknown as QuickJSSyncVariant, { wasmModule: module as never });
const quickjs = await newQuickJSWASMModuleFromVariant(variant);
const runtime = quickjs.newRuntime({ memoryLimitBytes: maxBytes, maxStackSizeBytes: STACK_BYTES });
const vm: QuickJSContext = runtime.newContext();
let printed = 0;
let isStopped = false;

const print = vm.newFunction("print", (kind, handle) => {
  const text = vm.getString(handle);
  printed += text.length;
  if (printed > maxPrinted) stop(`it printed more than ${maxPrinted / 1024} KB`);
  else send({ type: "printed", stream: vm.getString(kind) === "stderr" ? "stderr" : "stdout", text });
});
const stopCalls = vm.newFunction("stop", () => stop(`it made more than ${maxCalls} calls`));

/** Reports a limit, once. The receiver ends this thread. */
function stop(message: string): void {
  if (!isStopped) send({ type: "failed", message, limit: true });
  isStopped = true;
}

const list = vm.unwrapResult(vm.evalCode(JSON.stringify(names)));
const prelude = vm.unwrapResult(vm.evalCode(PRELUDE, "prelude.js"));
const most = vm.newNumber(maxCalls);
const own = vm.unwrapResult(vm.callFunction(prelude, vm.undefined, print, stopCalls, list, most));

/** Calls a function of the prelude. Returns its text, undefined for a value of another type, or the error that it threw. */
function callOwn(name: "take" | "settle" | "toText" | "describe", value = vm.undefined): OwnAnswer {
  const method = vm.getProp(own, name);
  const answer = vm.callFunction(method, vm.undefined, value);
  method.dispose();
  if (answer.error !== undefined) return { error: answer.error };
  const text = vm.typeof(answer.value) === "string" ? vm.getString(answer.value) : undefined;
  answer.value.dispose();
  return { text };
}

type OwnAnswer = { readonly error: QuickJSHandle } | { readonly text: string | undefined };

/** Runs the program until it has ended or waits for calls. Returns true if it waits. */
function advance(promise: QuickJSHandle): boolean {
  if (isStopped) return false;
  const jobs = runtime.executePendingJobs();
  if (jobs.error !== undefined) return fail(jobs.error);
  const state = vm.getPromiseState(promise);
  if (state.type === "fulfilled") return finish(state.value);
  if (state.type === "rejected") return fail(state.error);
  const calls = callOwn("take");
  if ("error" in calls) return fail(calls.error);
  if (calls.text) send({ type: "calls", calls: calls.text });
  else send({ type: "failed", message: "it waits for a promise that nothing can settle" });
  return Boolean(calls.text);
}

/** Waits for the answers to the calls and passes them to the program. Returns false if it cannot take them. */
function takeAnswers(): boolean {
  let received: { readonly message: string } | undefined;
  while (received === undefined) {
    const count = Atomics.load(answered, 0);
    received = parentPort === null ? undefined : receiveMessageOnPort(parentPort);
    if (received === undefined) Atomics.wait(answered, 0, count);
  }
  const message = vm.newString(received.message);
  const settled = callOwn("settle", message);
  message.dispose();
  return "error" in settled ? fail(settled.error) : true;
}

function finish(value: QuickJSHandle): false {
  runtime.setMemoryLimit(maxBytes + RESERVE_BYTES);
  const result = callOwn("toText", value);
  if ("error" in result) return fail(result.error, "its result cannot be written as JSON: ");
  send({ type: "returned", value: result.text });
  return false;
}

function fail(error: QuickJSHandle, prefix = ""): false {
  runtime.setMemoryLimit(maxBytes + RESERVE_BYTES);
  const described = callOwn("describe", error);
  if ("error" in described || described.text === undefined) {
    send({ type: "failed", message: "it failed with an error that cannot be described" });
    return false;
  }
  const [name = "", text = "", stack = "", toolCode = ""] = JSON.parse(described.text) as string[];
  // The interpreter has no other sign of it.
  if (name === "InternalError" && text === "out of memory") {
    stop(`it used more than ${maxBytes / 1024 / 1024} MB of memory`);
    return false;
  }
  const line = new RegExp(`${PROGRAM_FILE}:(\\d+)`).exec(stack)?.[1];
  const kind = [name, toolCode].filter(Boolean).join(" ");
  const where = line === undefined ? "" : ` (line ${line})`;
  send({ type: "failed", message: `${prefix}${kind === "" ? "" : `${kind}: `}${text}${where}` });
  return false;
}

// On the first line of the program, so that its lines keep their numbers.
const started = vm.evalCode(`(async () => {${code}\n})()`, PROGRAM_FILE);
if (started.error !== undefined) fail(started.error);
else while (advance(started.value) && takeAnswers());
