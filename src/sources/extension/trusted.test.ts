import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { extensionEngine, sayModule } from "../../../test/support/programs/extensions.ts";
import { names } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { hashOfTree } from "../../system/files/content-hash.ts";

test("a project's extension is not run until it is trusted, and again when it has changed", async (t) => {
  const trusted = new Map<string, string | undefined>();
  const isTrusted = (entry: string, hash: string): boolean => trusted.get(entry) === hash;
  const files = {
    "a.js": `globalThis.ranUntrusted = true;\n${sayModule("a", "one")}`,
    "b/index.js":
      'import { answer } from "./lib.js"; export { answer }; export default (api) => api.log(answer);',
    "b/lib.js": 'export const answer = "from lib";',
  };
  const { engine, folder, write, logged } = extensionEngine(t, files, { isTrusted });
  await engine.sources.settled();
  assert.deepEqual(names(engine), []);
  assert.equal("ranUntrusted" in globalThis, false);
  assert.deepEqual(
    engine.sources.problems().map(({ reason, hint }) => [reason, hint]),
    ["a", "b"].map(() => ["untrusted", "run toolwright trust"]),
  );
  for (const entry of ["a.js", "b"]) trusted.set(entry, hashOfTree(join(folder, entry)));
  await engine.sources.refresh();
  assert.deepEqual([names(engine), logged], [["a_tool"], ["b: from lib"]]);
  write("a.js", sayModule("a", "two"));
  write("b/lib.js", 'export const answer = "changed";');
  await engine.sources.refresh();
  assert.deepEqual([names(engine), logged], [[], ["b: from lib"]]);
  trusted.set("b", hashOfTree(join(folder, "b")));
  await engine.sources.refresh();
  assert.deepEqual(logged, ["b: from lib", "b: changed"]);
});

test("a trusted extension can import only its own files, with their trusted content", async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, "outside.js"), "globalThis.ranOutside = true;");
  const late = `export default (api) => api.command({ name: "later", summary: "s", run: () => import("./late.js") });`;
  const { engine, write, extensions } = extensionEngine(
    t,
    {
      "a.js": `import ${JSON.stringify(join(root, "outside.js"))}; export default () => {};`,
      "b/index.js": 'import "./common.cjs"; export default () => {};',
      "b/common.cjs": "",
      "c/index.js": `import "node:path"; import "toolwright"; ${late}`,
      "c/late.js": "export const value = 1;",
    },
    { isTrusted: () => true },
  );
  await engine.sources.settled();
  assert.deepEqual(
    engine.sources.problems().map(({ message }) => /not part of it|is CommonJS/.exec(message)?.[0]),
    ["not part of it", "is CommonJS"],
  );
  assert.equal("ranOutside" in globalThis, false);
  write("c/late.js", "globalThis.ranChanged = true;");
  await assert.rejects(
    async () =>
      extensions
        .commands()
        .get("later")
        ?.run("", undefined as never),
    /has changed since/,
  );
  assert.equal("ranChanged" in globalThis, false);
});
