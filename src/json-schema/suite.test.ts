import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Json, JsonObject, JsonSchema } from "../core/json.ts";
import { sharedData, withoutSharedData } from "../../test/support/files/shared-data.ts";
import { createValidator } from "../schema/validate.ts";
import { compileFull } from "./full/full.ts";
import { compileQuick } from "./quick/quick.ts";
import { dialectOf } from "./shared/dialect.ts";
import type { Dialect, Rule } from "./shared/types.ts";
import { loadFull } from "./compile-schema.ts";

await loadFull();

interface Case {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly data: Json;
  readonly valid: boolean;
}
interface Edition {
  readonly folder: string;
  readonly dialect: Dialect;
  readonly $schema: string;
}

const EDITIONS: readonly Edition[] = [
  {
    folder: "draft7",
    dialect: "draft-07",
    $schema: "http://json-schema.org/draft-07/schema#",
  },
  {
    folder: "draft2020-12",
    dialect: "2020-12",
    $schema: "https://json-schema.org/draft/2020-12/schema",
  },
];

for (const edition of EDITIONS) {
  test(
    `every required case of the suite of ${edition.folder} passes`,
    {
      skip: withoutSharedData,
    },
    (t) => {
      const documents = readDocuments(edition);
      const cases = readCases(edition);
      const ours = failures(cases, (schema) => {
        const validator = createValidator(schema, {
          coerce: false,
          defaults: false,
          formats: false,
          documents: usesDocuments(schema) ? documents : {},
        });
        return (data) => validator.check(data).ok;
      });
      t.diagnostic(`${edition.folder}: ${cases.length} cases, we miss ${ours.length}`);
      assert.ok(cases.length > 900);
      assert.deepEqual(
        ours.map(({ name }) => name),
        [],
      );
    },
  );

  test(
    `the quick validator and the full one agree on every case of ${edition.folder} that the quick one takes`,
    {
      skip: withoutSharedData,
    },
    () => {
      let taken = 0;
      const compile = oncePerSchema((schema) => compileBoth(schema, edition.dialect));
      for (const { name, schema, data, valid } of readCases(edition)) {
        const both = compile(schema);
        if (both === undefined) continue;
        taken += 1;
        assert.equal(both.quick.check(data), valid, name);
        assert.equal(
          typeof both.full === "string" ? both.full : both.full.check(data),
          valid,
          `full: ${name}`,
        );
      }
      assert.ok(taken > 500, `only ${taken} cases were taken`);
    },
  );
}

type Compile = (schema: JsonSchema) => (data: Json) => boolean | undefined;

function failures(cases: readonly Case[], compile: Compile): readonly Case[] {
  const compileOnce = oncePerSchema(compile);
  return cases.filter(({ schema, data, valid }) => compileOnce(schema)(structuredClone(data)) !== valid);
}

/** The cases of a schema follow each other: only the last one is remembered. */
function oncePerSchema<T>(compile: (schema: JsonSchema) => T): (schema: JsonSchema) => T {
  let last: { readonly schema: JsonSchema; readonly compiled: T } | undefined;
  return (schema) => {
    if (last?.schema !== schema) last = { schema, compiled: compile(schema) };
    return last.compiled;
  };
}

/** Returns undefined for a schema of another dialect, or one that the quick validator does not take. */
function compileBoth(
  schema: JsonSchema,
  dialect: Dialect,
): { readonly quick: Rule; readonly full: ReturnType<typeof compileFull> } | undefined {
  if (dialectOf(schema) !== dialect) return undefined;
  const quick = compileQuick(schema, { dialect, formats: false });
  if (!("rule" in quick)) return undefined;
  const options = { dialects: [dialect], formats: false, documents: {}, fill: undefined };
  return { quick: quick.rule, full: compileFull(schema, options) };
}

function usesDocuments(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes("//localhost:1234/");
}

/** Every group names its edition; those of draft 7 leave it to the folder. */
function readCases({ folder, $schema }: Edition): readonly Case[] {
  const directory = sharedData("json-schema", "tests", folder);
  const files = readdirSync(directory).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    const groups = JSON.parse(readFileSync(join(directory, file), "utf8")) as readonly Group[];
    return groups.flatMap((group) => {
      const given = group.schema;
      const schema =
        typeof given === "object" && given["$schema"] === undefined ? { $schema, ...given } : given;
      return group.tests.map(({ description, data, valid }) => ({
        name: `${file}: ${group.description}: ${description}`,
        schema,
        data,
        valid,
      }));
    });
  });
}

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** The documents that the suite serves at http://localhost:1234, but for those of other editions. */
function readDocuments({ folder }: Edition): JsonObject {
  const root = sharedData("json-schema", "remotes");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  const own = files.filter((file) => !file.startsWith("draft") || file.startsWith(`${folder}/`));
  const read = (file: string): Json => JSON.parse(readFileSync(join(root, file), "utf8")) as Json;
  return Object.fromEntries(own.map((file) => [`http://localhost:1234/${file}`, read(file)]));
}
