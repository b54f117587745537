import type { JsonObject } from "../../../../src/core/json.ts";

/** A call of the suite, and its answer. */
export interface SuiteCall extends Particulars {
  readonly name: string;
  readonly input: JsonObject;
  readonly text: string;
}

interface Particulars {
  /** The code of a failure; default: it succeeds. */
  readonly code?: string;
  /** The call is repeated until its text contains this. */
  readonly awaited?: string;
  /** It runs on the host, even if all tools run in the sandbox, or is refused before it runs. */
  readonly onHost?: true;
}

export function row(name: string, input: JsonObject, text: string, particulars: Particulars = {}): SuiteCall {
  return { name, input, text, ...particulars };
}
