// A reporter for node --test: one line of JSON for each test that has ended, and in a long run what tests say of their counts.
import type { TestEvent } from "node:test/reporters";
import { flushCompileCache } from "node:module";
import { inspect } from "node:util";
import { defined } from "../../src/util/json/defined.ts";

/** What is reported of one test. `file` is missing only if Node does not know it. */
export interface TestReport {
  /** A suite is not counted; its time is that of its tests. */
  readonly outcome: "failed" | "passed" | "skipped" | "suite";
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  /** Zero for a test inside another test, whose time counts already. */
  readonly ms: number;
  readonly error?: string;
}

/** Marks the lines of this reporter among what the tests themselves print. */
export const MARK = "\u{1}test ";

const printsCounts = process.env["TOOLWRIGHT_LONG"] === "1";

// oxlint-disable-next-line import/no-default-export -- node --test takes the default export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let isFlushed = false;
  for await (const event of events) {
    // The summary of the process has no place.
    if (printsCounts && event.type === "test:diagnostic" && event.data.line !== undefined)
      yield `  ${event.data.message}\n`;
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    // All files of the group are loaded: the programs that its tests start, and other groups, need not compile them again.
    if (!isFlushed) flushCompileCache();
    isFlushed = true;
    const { data } = event;
    const outcome = outcomeOf(event);
    if (outcome === undefined) continue;
    const failure =
      event.type === "test:fail"
        ? inspect(event.data.details.error.cause ?? event.data.details.error)
        : undefined;
    const line: TestReport = {
      outcome,
      name: data.name,
      ms: data.nesting === 0 ? data.details.duration_ms : 0,
      ...defined({ file: data.file, line: data.line, error: failure }),
    };
    yield `${MARK}${toAscii(JSON.stringify(line))}\n`;
  }
}

/** Returns undefined for what is not reported: a suite inside another, and the failure of a test that only its parts have caused. */
function outcomeOf({
  type,
  data,
}: Extract<TestEvent, { type: "test:fail" | "test:pass" }>): TestReport["outcome"] | undefined {
  if (data.details.type === "suite") return data.nesting === 0 ? "suite" : undefined;
  if (type === "test:fail") return isFailureOfParts(data.details.error) ? undefined : "failed";
  return data.skip !== undefined || data.todo !== undefined ? "skipped" : "passed";
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
