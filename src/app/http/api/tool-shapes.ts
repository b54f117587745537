import type { ToolSpec } from "../../../core/spec.ts";
import { anyJson, boolean, nullable, object, optional, string } from "../../../schema/define/schema.ts";
import { anyObject, typed } from "./typed.ts";
import { Risk } from "./call-shapes.ts";

export const ToolRow = object({
  name: string(),
  summary: string("the first sentence of the description"),
  risk: Risk,
  place: string(),
  source: string(),
  group: nullable(string()),
  isActive: boolean(),
});

export const ToolDetail = object({
  tool: typed<ToolSpec>(
    "the tool as a model sees it",
    {
      name: string(),
      description: string(),
      input: anyObject("JSON Schema"),
      output: optional(anyJson("JSON Schema")),
    },
    ["risk", "place", "source", "effects"],
  ),
  isActive: boolean(),
});
