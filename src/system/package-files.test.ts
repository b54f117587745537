import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { entryFile, packageFile, packageVersion, programFile } from "./package-files.ts";

test("files of the package and its entry points are found from the sources", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
  assert.equal(packageVersion(), version);
  for (const file of [packageFile("bin/toolwright.js"), programFile("pdf-worker"), entryFile("index")])
    assert.ok(existsSync(file), file);
});

for (const format of ["esm", "cjs"] as const) {
  test(`bundled into another program as ${format}, a missing file is an error that says what to do`, async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, "package.json"), '{"name": "other"}');
    const outfile = join(folder, format === "esm" ? "out.mjs" : "out.cjs");
    await build({
      entryPoints: ["src/system/package-files.ts"],
      bundle: true,
      platform: "node",
      format,
      outfile,
      logLevel: "silent",
    });
    const bundled = (await import(pathToFileURL(outfile).href)) as { packageFile(path: string): string };
    assert.throws(() => bundled.packageFile("templates/x"), /templates\/x of the package toolwright/);
  });
}
