import assert from "node:assert/strict";
import { test } from "node:test";
import { findPaths, indexPath } from "./find-files.ts";

function find(typed: string, paths: readonly string[], recent: readonly string[] = []): readonly string[] {
  return findPaths(typed, paths.map(indexPath), { limit: 3, recent: new Set(recent) });
}

test("names that begin with the text are before names and paths that contain it, and letters in order are last", () => {
  const paths = ["sx/u/m", "sum/a.ts", "lib/checksum.ts", "src/sum.js", "other"];
  assert.deepEqual(find("sum", paths), ["src/sum.js", "lib/checksum.ts", "sum/a.ts"]);
  assert.deepEqual(find("SUM.J", paths), ["src/sum.js"]);
  assert.deepEqual(find("zz", paths), []);
});

test("a path that was used before is first among similar ones", () => {
  assert.deepEqual(find("a", ["a.ts", "b/a.ts", "c/a.ts"], ["c/a.ts"])[0], "c/a.ts");
});

test("only the best paths are kept, whatever their order", () => {
  const many = Array.from({ length: 500 }, (_, index) => `folder/${"x".repeat(index % 50)}a${index}.ts`);
  const [first, ...rest] = find("a1", [...many, "a1"]);
  assert.equal(first, "a1");
  assert.equal(rest.length, 2);
});
