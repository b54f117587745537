import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");

/** Returns the packages that a declaration file and all that it imports refer to. */
function packagesIn(file: string, seen: Set<string>): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const specifiers = [...readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)];
  return specifiers.flatMap(([, specifier = ""]) =>
    specifier.startsWith(".")
      ? packagesIn(resolve(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts")), seen)
      : [specifier],
  );
}

test("the types of toolwright/models need no package", () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly types: string }>>;
  };
  const types = join(ROOT, exports["./models"]?.types ?? "");
  const seen = new Set<string>();
  assert.deepEqual(packagesIn(types, seen), []);
  assert.ok(seen.size > 5, "imports are followed");
});
