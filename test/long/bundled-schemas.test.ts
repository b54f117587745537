import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ajvSources } from "../../scripts/build/ajv-sources.ts";
import type { Json, JsonSchema } from "../../src/core/json.ts";
import { loadAjv } from "../../src/schema/ajv/load-ajv.ts";
import * as source from "../../src/schema/validate.ts";
import { sharedData, withoutSharedData } from "../support/files/shared-data.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// The bundle has Ajv from its sources, without what nothing calls.

interface Group {
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly data: Json }[];
}

for (const edition of ["draft7", "draft2020-12"]) {
  test(
    `bundled, every case of the suite of ${edition} is checked and explained as from the sources`,
    { skip: withoutSharedData },
    async (t) => {
      const bundled = await bundleValidator(temporaryFolder(t));
      const groups = readGroups(edition);
      let count = 0;
      for (const { schema, tests } of groups) {
        const [ours, theirs] = [source.createValidator(schema), bundled.createValidator(schema)];
        await Promise.all([ours.prepare(), theirs.prepare()]);
        for (const { data } of tests) {
          count += 1;
          assert.deepEqual(
            theirs.check(structuredClone(data)),
            ours.check(structuredClone(data)),
            JSON.stringify(schema),
          );
        }
      }
      t.diagnostic(`${count} cases`);
      assert.ok(count > 900);
    },
  );
}

test("bundled, a schema that is none is refused with the same words", async (t) => {
  await loadAjv();
  const bundled = await bundleValidator(temporaryFolder(t));
  for (const schema of [{ type: "strnig" }, { required: "a" }, { properties: { a: { minimum: "1" } } }]) {
    const validator = bundled.createValidator(schema);
    await validator.prepare();
    assert.deepEqual(validator.check({}), source.createValidator(schema).check({}));
  }
});

async function bundleValidator(folder: string): Promise<typeof source> {
  const outfile = join(folder, "validate.mjs");
  await build({
    entryPoints: ["src/schema/validate.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    minify: true,
    plugins: [ajvSources().plugin],
  });
  return (await import(pathToFileURL(outfile).href)) as typeof source;
}

function readGroups(edition: string): readonly Group[] {
  const folder = sharedData("json-schema", "tests", edition);
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Group[]);
}
