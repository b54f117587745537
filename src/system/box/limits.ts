import type { BoxedProgram } from "./types.ts";

const MEMORY_KB = 2 * 1024 * 1024;
/** Of 512 bytes. */
const FILE_BLOCKS = 512 * 1024;
const PROCESSES = 4096;

/**
 * The data segment rather than the address space is limited, because many programs reserve addresses that they never use. Shells
 * name the limit of processes differently; it does not bind root.
 */
const SET_LIMITS = `ulimit -c 0; ulimit -d ${MEMORY_KB}; ulimit -f ${FILE_BLOCKS}; { ulimit -u ${PROCESSES} || ulimit -p ${PROCESSES}; } 2>/dev/null; exec "$@"`;

/** Returns the program with limits on the memory and the files of each process and on the number of processes. */
export function limited({ file, args }: BoxedProgram): Pick<BoxedProgram, "file" | "args"> {
  return { file: "/bin/sh", args: ["-c", SET_LIMITS, "sh", file, ...args] };
}
