import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Place } from "./cli.ts";
import { writeProgram } from "./tools.ts";

/** A program as the page shows it, and what a reader would try first. */
export interface Shown {
  readonly name: string;
  readonly file: string;
  readonly needs: string;
  readonly input: JsonObject;
  readonly answer: JsonObject;
  readonly missing: JsonObject;
}

/** The three programs of the page. */
export const SHOWN: readonly Shown[] = [
  {
    name: "disk_usage",
    file: "disk_usage.sh",
    needs: "jq",
    input: { path: "data", limit: 1 },
    answer: { entries: [{ name: "big file.bin", kilobytes: 64 }] },
    missing: { path: "nowhere" },
  },
  {
    name: "csv_summary",
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
    name: "json_pick",
    file: "json_pick.mjs",
    needs: "node",
    input: { path: "data/package.json", pointer: "/scripts/a~1b" },
    answer: { value: ["run"] },
    missing: { path: "nowhere.json" },
  },
];

/** A folder with the program in it, copied from the page, and something for it to look at. */
export function copied(place: Place, file: string): string {
  const page = readFileSync("docs/external-tools.md", "utf8");
  const text = new RegExp(`^\`\`\`\\w+ ${file}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1];
  assert.ok(text !== undefined, `the page shows ${file}`);
  writeProgram(place, "data/people.csv", "name,city\nAda,London\nAlan,London\nGrace,\n");
  writeProgram(place, "data/package.json", '{"scripts": {"a/b": ["run"]}}');
  writeProgram(place, "data/big file.bin", "x".repeat(64 * 1024));
  return writeProgram(place, file, text);
}
