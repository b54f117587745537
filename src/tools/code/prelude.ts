/** The name of the program in stack traces. */
export const PROGRAM_FILE = "program.js";

/**
 * A function that runs inside the interpreter before the program and defines what the program can use. Returns the functions with which the
 * host takes and answers calls and reads results. Each crossing from or to the host costs more than what a call does in here.
 */
export const PRELUDE = `(print, stop, names, maxCalls) => {
  const { stringify, parse } = JSON;
  const waiting = new Map();
  let queued = [];
  let last = 0;
  class ToolError extends Error {}
  ToolError.prototype.name = "ToolError";
  const call = (name, input = {}) =>
    new Promise((resolve, reject) => {
      last += 1;
      if (last > maxCalls) return stop();
      queued.push(stringify([last, name, input]));
      // It has the line of the call.
      waiting.set(last, { resolve, reject, error: new Error() });
    });
  const known = {};
  for (const name of names) known[name] = (input) => call(name, input);
  const isName = (name) => typeof name === "string" && name !== "then";
  const get = (_, name) => known[name] ?? (isName(name) ? (input) => call(name, input) : undefined);
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value instanceof Error) return value.name + ": " + value.message;
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };
  const printer = (stream) => (...values) => void print(stream, values.map(show).join(" ") + "\\n");
  const [out, err] = [printer("stdout"), printer("stderr")];
  Object.assign(globalThis, {
    ToolError,
    tools: new Proxy(known, { get }),
    console: { log: out, info: out, debug: out, warn: err, error: err },
    declarations: (...given) => call(null, given.flat().map(String)),
  });
  return {
    take() {
      const text = queued.length === 0 ? "" : "[" + queued.join() + "]";
      queued = [];
      return text;
    },
    settle(text) {
      for (const [number, isOk, value] of parse(text)) {
        const { resolve, reject, error } = waiting.get(number);
        waiting.delete(number);
        if (isOk) resolve(value);
        else reject(Object.assign(Object.setPrototypeOf(error, ToolError.prototype), value));
      }
    },
    toText: (value) => stringify(value),
    describe: (error) =>
      error instanceof Error
        ? stringify([error.name, error.message, error.stack ?? "", error.code ?? ""])
        : stringify(["", "it threw " + show(error), "", ""]),
  };
}`;
