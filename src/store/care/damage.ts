import { closeSync, openSync, readSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { NEWEST_VERSION, schemaOf, schemaOfVersion } from "../database/migrate.ts";
import { attempt } from "../../util/async/attempt.ts";
import { parseJson } from "../../util/json/parse-json.ts";

/** The limit of the sentences about one kind of damage. */
const MOST = 20;

/**
 * Returns a sentence for each thing that is damaged in a database: its pages, its schema, and rows that cannot be read though their pages can.
 * Empty for a whole one, also for one of a newer Toolwright. May throw for a badly damaged one.
 */
export function damageOf(database: DatabaseSync): readonly string[] {
  const pages = database.prepare(`PRAGMA integrity_check(${MOST})`).all();
  const problems = pages.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok");
  return [...problems, ...schemaProblems(database), ...rowProblems(database)];
}

/** Returns true if a newer Toolwright created the database. One whose schema is that of a known version only has a damaged number. */
export function isNewer(database: DatabaseSync): boolean {
  return versionOf(database) > NEWEST_VERSION && !hasSchemaOf(database, NEWEST_VERSION);
}

/** Returns a sentence if the header says that nothing may be written, as a damaged byte does: SQLite then only reads. Empty for a whole one. */
export function headerProblems(path: string): readonly string[] {
  const header = Buffer.alloc(20);
  const file = openSync(path, "r");
  try {
    if (readSync(file, header, 0, header.length, 0) < header.length) return [];
  } finally {
    closeSync(file);
  }
  return header.readUInt8(WRITE_VERSION) > NEWEST_FORMAT
    ? ["its header is damaged: it can only be read"]
    : [];
}

/** The offset of the format that a writer must know, and the newest: that of write-ahead logs. */
const [WRITE_VERSION, NEWEST_FORMAT] = [18, 2];

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

function schemaProblems(database: DatabaseSync): readonly string[] {
  const version = versionOf(database);
  if (isNewer(database)) return [];
  const expected = schemaOfVersion(version);
  if (schemaOf(database).length === 0)
    return ["it is empty: its first start was interrupted, or all is lost"];
  if (expected === undefined)
    return [`its schema version is ${version}: it is damaged, or of another program`];
  const items = new Map(schemaOf(database).map(({ type, name, sql }) => [`${type} ${name}`, sql]));
  return expected.flatMap(({ type, name, sql }) => {
    const actual = items.get(`${type} ${name}`);
    if (actual === undefined) return [`the ${type} ${name} of its schema is missing`];
    return actual === sql ? [] : [`the ${type} ${name} of its schema is damaged`];
  });
}

function hasSchemaOf(database: DatabaseSync, version: number): boolean {
  return JSON.stringify(schemaOf(database)) === JSON.stringify(schemaOfVersion(version));
}

/** Rows that SQLite can read and that hold no JSON, or a state that no call has: bytes in the middle of a page have changed. */
const SUSPECTS = {
  calls: `SELECT 'call ' || call_id AS what, input AS text, answer AS other,
      state NOT IN ('open', 'answered', 'interrupted') OR (state = 'open') <> (answer IS NULL) AS isWrong
    FROM calls WHERE isWrong OR NOT json_valid(input) OR NOT coalesce(json_valid(answer), 1)`,
  documents: `SELECT 'document ' || json_quote(key) || ' of ' || collection AS what, value AS text, NULL AS other, 0 AS isWrong
    FROM documents WHERE NOT json_valid(value)`,
};

function rowProblems(database: DatabaseSync): readonly string[] {
  return Object.values(SUSPECTS).flatMap((sql) => {
    // A table that is missing is a problem of the schema.
    const rows = attempt(() => database.prepare(sql))?.all() ?? [];
    const damaged = rows.filter(
      ({ text = null, other = null, isWrong }) => isWrong === 1 || !isJson(text) || !isJson(other),
    );
    const more = damaged.length > MOST ? [`and ${damaged.length - MOST} more`] : [];
    return [...damaged.slice(0, MOST).map(({ what }) => `the ${String(what)} is damaged`), ...more];
  });
}

/** SQLite refuses JSON that is nested deeper than a thousand levels, which is whole. */
export function isJson(text: unknown): boolean {
  return text === null || (typeof text === "string" && parseJson(text) !== undefined);
}
