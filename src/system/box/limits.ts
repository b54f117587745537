import type { BoxedProgram, BoxLimits } from "./types.ts";

/** Of 512 bytes. */
const FILE_BLOCKS = 512 * 1024;

/**
 * Returns the program with limits on the memory and the files of each process and on the number of processes; without limits, as it
 * is. The data segment rather than the address space is limited, because many programs reserve addresses that they never use.
 * Shells name the limit of processes differently; it does not bind root.
 */
export function limited(
  { file, args }: BoxedProgram,
  limits: BoxLimits | undefined,
): Pick<BoxedProgram, "file" | "args"> {
  if (limits === undefined) return { file, args };
  const { memoryBytes, processes } = limits;
  const kilobytes = Math.floor(memoryBytes / 1024);
  const setLimits = `ulimit -c 0; ulimit -d ${kilobytes}; ulimit -f ${FILE_BLOCKS}; { ulimit -u ${processes} || ulimit -p ${processes}; } 2>/dev/null; exec "$@"`;
  return { file: "/bin/sh", args: ["-c", setLimits, "sh", file, ...args] };
}
