import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "@scalar/openapi-parser";
import { isObject, type Json } from "../../../core/json.ts";
import { createValidator } from "../../../schema/validate.ts";
import { ROUTES, type Route } from "./routes.ts";
import { toOpenApi } from "./openapi.ts";

const ROWS: readonly (readonly [string, Route])[] = Object.entries(ROUTES);

test("every schema of the API can be used to validate", () => {
  for (const [name, { query, body, answer }] of ROWS)
    for (const schema of [query, body, answer]) {
      if (schema === undefined) continue;
      const checked = createValidator(schema).check({});
      assert.ok(!("unusable" in checked), `${name}: ${JSON.stringify(checked)}`);
    }
});

test("the document is valid OpenAPI 3.1 and has every operation", async () => {
  const document = toOpenApi(ROUTES, "1.0.0");
  const found = Object.values(document["paths"] as Readonly<Record<string, Json>>).flatMap((path) =>
    isObject(path) ? Object.values(path).map((one) => (isObject(one) ? one["operationId"] : undefined)) : [],
  );
  assert.deepEqual(new Set(found), new Set(ROWS.map(([name]) => name)));
  const { valid, errors } = await validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
});
