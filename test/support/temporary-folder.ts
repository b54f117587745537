import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A canonical folder of the test's own, gone when the test is over. */
export function temporaryFolder(test: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-test-")));
  test.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
