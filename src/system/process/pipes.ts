import { closeSync, constants, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** The two ends of a pipe: a descriptor for the child process, and a stream to read. */
export interface NamedPipe {
  readonly writer: number;
  readonly reader: Readable;
}

/** Returns the number of descriptors that Node needs to start a program: two for each of its pipes, and two to learn that it has started. */
export function descriptorsFor(pipes: number): number {
  return 2 * pipes + 2;
}

/**
 * Throws EMFILE unless this many descriptors are free. Node never closes the pipes of a program that it could not start for want of
 * descriptors, so that one would be lost for each of these.
 */
export function assertDescriptors(count: number): void {
  const opened: number[] = [];
  try {
    for (let index = 0; index < count; index += 1) opened.push(openSync("/", constants.O_RDONLY));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * Creates pipes that a process can reopen by name, as `/dev/stdout` and `/dev/stderr`, which is impossible with the default
 * sockets. Takes a few milliseconds. Returns none if the system cannot create them.
 */
export async function createNamedPipes(env: Readonly<Record<string, string>>): Promise<readonly NamedPipe[]> {
  const [{ execFile }, { Socket }] = await Promise.all([import("node:child_process"), import("node:net")]);
  const folder = await makeTemporaryFolder();
  const [first, second] = [join(folder, "1"), join(folder, "2")];
  const pipes: NamedPipe[] = [];
  const openPipe = (path: string): void => {
    // Opens the reader first, without blocking, because opening a writer blocks until there is a reader.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const reader = new Socket({ fd, readable: true, writable: false });
    try {
      pipes.push({ writer: openSync(path, constants.O_WRONLY), reader });
    } catch (error) {
      reader.destroy();
      throw error;
    }
  };
  try {
    assertDescriptors(descriptorsFor(3));
    await promisify(execFile)("mkfifo", [first, second], { env: { ...env } });
    openPipe(first);
    openPipe(second);
    return pipes;
  } catch {
    for (const { reader } of pipes) reader.destroy();
    closeWriters(pipes);
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Closes the writing ends in this process, so that the pipes end with the child process. */
export function closeWriters(pipes: readonly NamedPipe[]): void {
  for (const { writer } of pipes) closeSync(writer);
}
