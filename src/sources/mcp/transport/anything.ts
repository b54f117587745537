import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../../core/json.ts";

/** Takes every answer as it is: what of it can be used is looked at piece by piece. */
export const ANYTHING: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": { version: 1, vendor: "toolwright", validate: (value) => ({ value: value as JsonObject }) },
};
