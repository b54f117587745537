import { visible } from "../../../util/text/visible.ts";
import type { Output } from "./output.ts";

/** Prints one line on standard error about something that was ignored or lost. Control characters become visible. */
export function printWarning(output: Pick<Output, "log">, warning: string): void {
  output.log(`toolwright: warning: ${visible(warning)}`);
}
