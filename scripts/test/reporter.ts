// A reporter for node --test: one line of JSON for each test that has ended.
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** What is reported of one test. `file` is missing only if Node does not know it. */
export interface TestReport {
  readonly outcome: "failed" | "passed" | "skipped";
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** Zero for a test inside another test, whose time counts already. */
  readonly ms: number;
  readonly error?: string;
}

/** Marks the lines of this reporter among what the tests themselves print. */
export const MARK = "\u{1}test ";

// oxlint-disable-next-line import/no-default-export -- node --test takes the default export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const isSuite = data.details.type === "suite";
    const isOutcomeOfParts = type === "test:fail" && isFailureOfParts(data.details.error);
    if (isSuite || isOutcomeOfParts) continue;
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const outcome = type === "test:fail" ? "failed" : skipped ? "skipped" : "passed";
    const failure =
      type === "test:fail" ? inspect(data.details.error.cause ?? data.details.error) : undefined;
    const line: TestReport = {
      outcome,
      name: data.name,
      ms: data.nesting === 0 ? data.details.duration_ms : 0,
      ...(data.file !== undefined && { file: data.file }),
      ...(data.line !== undefined && { line: data.line }),
      ...(failure !== undefined && { error: failure }),
    };
    yield `${MARK}${toAscii(JSON.stringify(line))}\n`;
  }
}

/** A test with failed parts fails too; only the parts are counted. */
function isFailureOfParts(error: Error & { readonly failureType?: string }): boolean {
  return error.failureType === "subtestsFailed";
}

/** Escapes everything outside ASCII: readers of lines disagree on which characters end one. */
function toAscii(json: string): string {
  return json.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
