import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "@scalar/openapi-parser";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { createValidator } from "../../../schema/validate.ts";
import { OTHER_ROUTES } from "./other-routes.ts";
import { ROUTES, type Route } from "./routes.ts";
import { toOpenApi } from "./openapi.ts";

const ALL = { ...ROUTES, ...OTHER_ROUTES };
const ROWS: readonly (readonly [string, Route])[] = Object.entries(ALL);

test("every schema of the API can be used to validate", () => {
  for (const [name, { query, body, answer }] of ROWS)
    for (const schema of [query, body, answer]) {
      if (schema === undefined) continue;
      const checked = createValidator(schema).check({});
      assert.ok(!("unusable" in checked), `${name}: ${JSON.stringify(checked)}`);
    }
});

test("the document is valid OpenAPI 3.1 and has every operation", async () => {
  const document = toOpenApi(ALL, "1.0.0");
  const found = Object.values(document["paths"] as Readonly<Record<string, Json>>).flatMap((path) =>
    isObject(path) ? Object.values(path).map((one) => (isObject(one) ? one["operationId"] : undefined)) : [],
  );
  assert.deepEqual(new Set(found), new Set(ROWS.map(([name]) => name)));
  const { valid, errors } = await validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
});

/** Returns every object in a document, with the key that it has. */
function objectsIn(value: Json, key = ""): readonly (readonly [string, JsonObject])[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item, key));
  if (!isObject(value)) return [];
  return [[key, value], ...Object.entries(value).flatMap(([name, item]) => objectsIn(item, name))];
}

test("generators of clients can use the document", () => {
  const document = toOpenApi(ALL, "1.0.0");
  assert.ok(Array.isArray(document["servers"]));
  for (const [key, one] of objectsIn(document)) checkObject(key, one, document);
  const names = Object.keys((document["components"] as { readonly schemas: object }).schemas);
  for (const name of ["Call", "CallDetail", "Result", "Tool", "Verdict", "Error"])
    assert.ok(names.includes(name), name);
});

function checkObject(key: string, one: JsonObject, document: JsonObject): void {
  const { required, properties, type, operationId, responses, $ref: reference } = one;
  const described = isObject(properties) ? Object.keys(properties) : [];
  if (type === "object") {
    for (const name of Array.isArray(required) ? required : [])
      assert.ok(described.includes(String(name)), `${key}: ${String(name)} is described`);
    assert.ok(described.length > 0 || "additionalProperties" in one, `${key}: what is in it is described`);
  }
  assert.ok(!("default" in one) || !("type" in one), `${key}: a field with a default would be required`);
  if (operationId !== undefined)
    assert.match(Object.keys(responses as object).join(" "), /\b4\d\d\b/, `${key} has refusals`);
  if (typeof reference === "string") {
    const [, , kind = "", name = ""] = reference.split("/");
    const components = document["components"] as Readonly<Record<string, JsonObject>>;
    assert.ok(name in (components[kind] ?? {}), reference);
  }
}
