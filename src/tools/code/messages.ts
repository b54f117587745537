/** What the thread of a program is started with. */
export interface ProgramRequest {
  /** The compiled interpreter: a `WebAssembly.Module`, for which Node has no type. */
  readonly module: object;
  readonly code: string;
  /** The names of the active tools. */
  readonly names: readonly string[];
  readonly maxBytes: number;
  readonly maxCalls: number;
  readonly maxPrinted: number;
  /** Counts the answers that were sent. The thread waits for the next one without its event loop: it has nothing else to do. */
  readonly answered: Int32Array;
}

/** What the thread of a program sends. */
export type ProgramMessage =
  | { readonly type: "printed"; readonly stream: "stdout" | "stderr"; readonly text: string }
  /**
   * The program waits for these calls: JSON with the number of each, the name of its tool and its input; without a name, it is a request for
   * declarations. The answer is JSON with `[number, true, value]` or `[number, false, error]` for each.
   */
  | { readonly type: "calls"; readonly calls: string }
  /** `value` is JSON; undefined if the program returned nothing. */
  | { readonly type: "returned"; readonly value: string | undefined }
  | { readonly type: "failed"; readonly message: string; readonly limit?: true };
