import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contentsOf } from "../../../../test/support/files/folder-contents.ts";
import { sharedData, withoutSharedData } from "../../../../test/support/files/shared-data.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { runTool } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import { applyPatch } from "./apply-patch.ts";

const scenarios = withoutSharedData === false ? readdirSync(sharedData("apply-patch")) : ["(none)"];

for (const name of scenarios) {
  test(`scenario ${name} ends as it is said to`, { skip: withoutSharedData }, async (context) => {
    const folder = sharedData("apply-patch", name);
    const root = temporaryFolder(context);
    cpSync(join(folder, "input"), root, { recursive: true });
    const patch = readFileSync(join(folder, "patch.txt"), "utf8");
    const run = runTool(applyPatch({ root }), { patch });
    if (/reject|fails/.test(name)) await assert.rejects(run, ToolError);
    else await run;
    assert.deepEqual(contentsOf(root), contentsOf(join(folder, "expected")));
  });
}
