import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const ROOT = join(import.meta.dirname, "../..");

/** Returns the packages that a declaration file and all that it imports refer to. */
function packagesIn(file: string, seen: Set<string>): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const specifiers = [...readFileSync(file, "utf8").matchAll(/(?:from|import\(|import)\s*"([^"]+)"/g)];
  return specifiers.flatMap(([, specifier = ""]) => {
    if (specifier.startsWith("."))
      return packagesIn(resolve(dirname(file), specifier.replace(/\.[jt]s$/, ".d.ts")), seen);
    return specifier.startsWith("node:") ? [] : [`${specifier} in ${file}`];
  });
}

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** The package that a program with this export has, because the export is about it. */
const OWN_PACKAGES: Readonly<Record<string, string>> = {
  "./opentelemetry": "@opentelemetry/api",
  "./langchain": "@langchain/core/tools",
};

for (const [path, target] of Object.entries(exports)) {
  if (typeof target === "string") continue;
  const own = OWN_PACKAGES[path];
  test(`the types of toolwright${path.slice(1)} need no package but @types/node${own === undefined ? "" : ` and ${own}`}`, () => {
    const seen = new Set<string>();
    const others = packagesIn(join(ROOT, target.types), seen).filter((one) => !one.startsWith(`${own} in `));
    assert.deepEqual(others, []);
    assert.ok(seen.size > 5, "imports are followed");
  });
}

test("the types of toolwright/models do not even need @types/node", () => {
  const target = exports["./models"];
  const seen = new Set<string>();
  packagesIn(join(ROOT, typeof target === "object" ? target.types : ""), seen);
  assert.deepEqual(
    [...seen].filter((file) => /"node:/.test(readFileSync(file, "utf8"))),
    [],
  );
});
