import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createPolicy } from "../../../policy/policy.ts";
import { editFile } from "../../../tools/files/edit/edit-file.ts";
import { createApprovals } from "./approvals.ts";
import { createGateway } from "./gateway.ts";

test("a client is not asked about an edit that cannot work", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "sum.ts"), "one\n");
  const approvals = createApprovals();
  const policy = createPolicy({ mode: "auto", workspace: [folder] });
  const engine = engineOf(t, { approver: approvals.approver, policy });
  engine.add(editFile({ root: folder }));
  const gateway = createGateway({ engine, approvals });
  t.after(() => gateway.close());
  const session = gateway.open([], { changed: () => undefined, log: () => undefined });
  const asked: string[] = [];
  const edit = (old_string: string) =>
    session.call({
      name: "edit_file",
      input: { path: "sum.ts", old_string, new_string: "two" },
      controller: new AbortController(),
      ask: async ({ tool }) => {
        asked.push(tool);
        return { approved: true, scope: "once" };
      },
    });
  assert.match(JSON.stringify(await edit("none")), /old_string was not found/);
  assert.deepEqual(asked, []);
  await edit("one");
  assert.deepEqual(asked, ["edit_file"]);
  assert.equal(readFileSync(join(folder, "sum.ts"), "utf8"), "two\n");
});
