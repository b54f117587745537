import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/core/json.ts";
import type { Place } from "./support/cli.ts";
import { createPlace } from "./support/cli.ts";
import { runProgram } from "./support/libexec.ts";
import { checkProgram, WITH_NODE, withoutProgram, writeProgram } from "./support/tools.ts";

/** A program as the page shows it, and what a reader would try first. */
interface Shown {
  readonly file: string;
  readonly needs: string;
  readonly input: JsonObject;
  readonly answer: JsonObject;
  readonly missing: JsonObject;
}

const SHOWN: readonly Shown[] = [
  {
    file: "disk_usage.sh",
    needs: "jq",
    input: { path: "data", limit: 1 },
    answer: { entries: [{ name: "big file.bin", kilobytes: 64 }] },
    missing: { path: "nowhere" },
  },
  {
    file: "csv_summary.py",
    needs: "python3",
    input: { path: "data/people.csv" },
    answer: {
      rows: 3,
      columns: [
        { name: "name", filled: 3, different: 3 },
        { name: "city", filled: 2, different: 1 },
      ],
    },
    missing: { path: "nowhere.csv" },
  },
  {
    file: "json_pick.mjs",
    needs: "node",
    input: { path: "data/package.json", pointer: "/scripts/a~1b" },
    answer: { value: ["run"] },
    missing: { path: "nowhere.json" },
  },
];

/** A folder with the program in it, copied from the page, and something for it to look at. */
function copied(place: Place, file: string): string {
  const page = readFileSync("docs/external-tools.md", "utf8");
  const text = new RegExp(`^\`\`\`\\w+ ${file}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  assert.ok(text !== undefined, `the page shows ${file}`);
  writeProgram(place, "data/people.csv", "name,city\nAda,London\nAlan,London\nGrace,\n");
  writeProgram(place, "data/package.json", '{"scripts": {"a/b": ["run"]}}');
  writeProgram(place, "data/big file.bin", "x".repeat(64 * 1024));
  return writeProgram(place, file, text);
}

for (const { file, needs, input, answer, missing } of SHOWN) {
  const skip = withoutProgram(needs);

  test(`${file}, copied from the page, answers a call at the first try`, { skip }, async (t) => {
    const place = createPlace(t);
    const path = copied(place, file);
    const run = { environment: WITH_NODE };
    const schema = await runProgram(place, path, { ...run, args: ["--schema"] });
    assert.equal((JSON.parse(schema.stdout) as JsonObject)["name"], file.replace(/\..*/, ""));
    const { code, stdout } = await runProgram(place, path, { ...run, input: JSON.stringify(input) });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), answer);
    const failed = await runProgram(place, path, { ...run, input: JSON.stringify(missing) });
    assert.equal((JSON.parse(failed.stdout) as JsonObject)["error_code"], "FILE_NOT_FOUND");
  });

  test(`${file}, copied from the page, keeps the contract`, { skip }, async (t) => {
    const place = createPlace(t);
    const { code, failed, checks } = await checkProgram(place, copied(place, file), input);
    assert.deepEqual([code, failed], [0, []], JSON.stringify(checks.filter(({ state }) => state === "fail")));
  });
}

test("the page names every check there is, and no other", async (t) => {
  const place = createPlace(t);
  const page = readFileSync("docs/external-tools.md", "utf8");
  const { checks } = await checkProgram(place, join(process.cwd(), "libexec", "glob"), { pattern: "*" });
  const table = page.slice(
    page.indexOf("| check | asks |"),
    page.indexOf("Without `--args` a program is never"),
  );
  const told = [...table.matchAll(/`([a-z]+(?:\.[a-z_-]+)?)`(?=[^|]*\|)/g)].map(([, name]) => name);
  const known = checks.map(({ check }) => check).filter((check) => !check.startsWith("schema."));
  assert.deepEqual(new Set(told), new Set(known));
});
