import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../core/json.ts";

/** Accepts every result unchanged: each item is validated separately. */
export const ANYTHING: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": { version: 1, vendor: "toolwright", validate: (value) => ({ value: value as JsonObject }) },
};
