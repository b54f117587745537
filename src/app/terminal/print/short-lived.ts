import { setFlagsFromString } from "node:v8";

/**
 * Says that this process makes a call or two and ends. Compiling the grammar of bash once more, to make it faster for
 * thousands of texts, takes most of a second, and a process does not end before its compilers do.
 */
export function beShortLived(): void {
  setFlagsFromString("--wasm-tiering-budget=2000000000");
}
