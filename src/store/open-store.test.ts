import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { write } from "../../test/contracts/artifacts.contract.ts";
import { answer, call } from "../../test/contracts/journal.contract.ts";
import { runScriptAsNobody, sourceUrl } from "../../test/support/child-script.ts";
import { openStore } from "./open-store.ts";

test("a store has its calls and artifacts in one folder, for its owner only, also when it is opened again", async (context) => {
  const folder = join(temporaryFolder(context), "deep", "state");
  const first = await openStore({ folder });
  await first.journal.receive(call("a")).settle(answer("a", "done"));
  const { id } = await write(first.artifacts, ["text"]);
  await first.close();
  await first.close();
  assert.deepEqual(readdirSync(folder), ["artifacts", "spool", "toolwright.db"]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, "artifacts")).mode & 0o777, 0o700);

  const second = await openStore({ folder });
  assert.equal((await second.journal.list()).length, 1);
  assert.equal((await second.artifacts.read(id, 0, 10))?.text, "text");
  await second.close();
});

test("a folder that cannot be created is reported with the reason", async (context) => {
  const path = join(temporaryFolder(context), "file");
  writeFileSync(path, "not a folder");
  await assert.rejects(openStore({ folder: path }), { code: "UNAVAILABLE", message: /cannot be created/ });
});

test("a folder without write permission is reported with a hint", (context) => {
  const parent = temporaryFolder(context);
  const made = join(parent, "made");
  mkdirSync(made, { mode: 0o555 });
  chmodSync(parent, 0o555);
  for (const folder of [made, join(parent, "missing")]) {
    const script = `
      const { openStore } = await import(${JSON.stringify(sourceUrl("src/store/open-store.ts"))});
      const error = await openStore({ folder: ${JSON.stringify(folder)} }).catch((reason) => reason);
      console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));`;
    const child = runScriptAsNobody(script);
    assert.notEqual(child.stdout, "", child.stderr);
    const { code, message, hint } = JSON.parse(child.stdout);
    assert.equal(code, "UNAVAILABLE");
    assert.ok(message.includes(folder), message);
    assert.match(hint, /writable/);
  }
  assert.deepEqual(readdirSync(parent), ["made"]);
  assert.deepEqual(readdirSync(made), []);
});

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-store-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
