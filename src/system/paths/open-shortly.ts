import { open } from "node:fs/promises";

const MAX_FOLDER = 90;

/** Returns a short path to a folder, for sockets in it: the path of a socket has at most 107 bytes. Close it when they are closed. */
export async function openShortly(
  folder: string,
): Promise<{ readonly path: string; close(): Promise<void> }> {
  if (Buffer.byteLength(folder) < MAX_FOLDER || process.platform !== "linux")
    return { path: folder, close: async () => undefined };
  const handle = await open(folder, "r");
  return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() };
}
