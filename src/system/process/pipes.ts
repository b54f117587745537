import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/** The two ends of a pipe: a number to hand to a process, and what is read on this side. */
export interface NamedPipe {
  readonly writer: number;
  readonly reader: Readable;
}

/**
 * Makes pipes that a process can open again by name, as `/dev/stdout` and `/dev/stderr`; the sockets it is given
 * otherwise refuse that. Costs a few milliseconds. None on a system that cannot make them.
 */
export async function makeNamedPipes(env: Readonly<Record<string, string>>): Promise<readonly NamedPipe[]> {
  const [{ execFile }, { Socket }] = await Promise.all([import("node:child_process"), import("node:net")]);
  const folder = await mkdtemp(join(tmpdir(), "toolwright-"));
  const [first, second] = [join(folder, "1"), join(folder, "2")];
  const openPipe = (path: string): NamedPipe => {
    // The reader first and without waiting: a writer waits until there is one.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return {
      writer: openSync(path, constants.O_WRONLY),
      reader: new Socket({ fd, readable: true, writable: false }),
    };
  };
  try {
    await promisify(execFile)("mkfifo", [first, second], { env: { ...env } });
    return [openPipe(first), openPipe(second)];
  } catch {
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Closes the writing ends on this side, so that the pipes end when the process does. */
export function closeWriters(pipes: readonly NamedPipe[]): void {
  for (const { writer } of pipes) closeSync(writer);
}
