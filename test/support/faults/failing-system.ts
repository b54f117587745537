// Makes one system call of this process fail. Import it before the code under test.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

/** The system calls that can fail, by the functions of Node that make them, and the error of the system. */
const SYNCHRONOUS = {
  openSync: "EMFILE",
  readFileSync: "EMFILE",
  readdirSync: "EMFILE",
  writeSync: "ENOSPC",
  writeFileSync: "ENOSPC",
  appendFileSync: "ENOSPC",
  renameSync: "EIO",
  fsyncSync: "EIO",
  mkdirSync: "ENOSPC",
  mkdtempSync: "ENOSPC",
} as const;
const PROMISES = {
  open: "EMFILE",
  readFile: "EMFILE",
  readdir: "EMFILE",
  opendir: "EMFILE",
  writeFile: "ENOSPC",
  appendFile: "ENOSPC",
  rename: "EIO",
  mkdir: "ENOSPC",
  mkdtemp: "ENOSPC",
} as const;
const HANDLE = {
  write: "ENOSPC",
  writeFile: "ENOSPC",
  appendFile: "ENOSPC",
  sync: "EIO",
  datasync: "EIO",
} as const;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The calls since the last start; undefined while nothing is counted. */
let calls: string[] | undefined;
let failsAt = 0;

/** Counts a call; true if it is the one that fails. */
function isFailing(name: string): boolean {
  if (calls === undefined) return false;
  calls.push(name);
  return calls.length === failsAt;
}

/** Runs some work, whose n-th system call fails once. Returns the names of the calls that the work has made; n = 0 fails none. */
export async function failingAt<T>(
  n: number,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly calls: readonly string[] }> {
  await replaceHandles();
  calls = [];
  failsAt = n;
  try {
    const value = await work();
    return { value, calls };
  } finally {
    calls = undefined;
  }
}

const rethrow = (error: Error): never => {
  throw error;
};
const reject = async (error: Error): Promise<never> => {
  throw error;
};

// Now, because the built program takes the functions of Node's modules when it is loaded.
replaceAll(fs, SYNCHRONOUS, rethrow);
replaceAll(fs.promises, PROMISES, reject);
replaceAll(childProcess.ChildProcess.prototype, { spawn: "EAGAIN" }, rethrow);
replaceAll(net.Socket.prototype, { connect: "ECONNREFUSED" }, (error, socket) => {
  process.nextTick(() => (socket as net.Socket).destroy(error));
  return socket;
});
syncBuiltinESMExports();

let hasHandles = false;

/** Replaces the methods of opened files, whose class Node does not export. */
async function replaceHandles(): Promise<void> {
  if (hasHandles) return;
  hasHandles = true;
  const handle = await fs.promises.open("/dev/null");
  replaceAll(Object.getPrototypeOf(handle) as object, HANDLE, reject);
  await handle.close();
}

function replaceAll(
  target: object,
  errors: Readonly<Record<string, string>>,
  fail: (error: Error, self: unknown) => unknown,
): void {
  const methods = target as Record<string, Method>;
  for (const [name, code] of Object.entries(errors)) {
    const real = methods[name];
    if (real === undefined) throw new Error(`Node has no ${name}`);
    methods[name] = function (...args) {
      // The process table differs from run to run.
      const isCounted = typeof args[0] !== "string" || !args[0].startsWith("/proc");
      if (!isCounted || !isFailing(name)) return real.apply(this, args);
      return fail(Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name }), this);
    };
  }
}
