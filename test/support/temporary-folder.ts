import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A test, or the whole file: `after` of `node:test`. */
export interface Ending {
  after(end: () => unknown): void;
}

/** A canonical folder of the test's own, gone when the test is over. */
export function temporaryFolder(test: Ending): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-test-")));
  test.after(() => {
    // Retries while a process that the test started still writes into the folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}
