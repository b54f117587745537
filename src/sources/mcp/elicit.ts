import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import type { ToolContext } from "../../core/context.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/**
 * Puts a server's question to whoever approves the call that runs on it. The form is answered only with what the approver filled
 * in; a yes without the fields that it needs, and a question outside of any call, are declined.
 */
export async function elicit(
  server: string,
  { message, requestedSchema }: ElicitRequestFormParams,
  context: ToolContext | undefined,
): Promise<ElicitResult> {
  if (context === undefined) return { action: "decline" };
  const form = requestedSchema as unknown as JsonObject;
  const approval = await context.ask({
    text: `the MCP server "${server}" asks: ${message}`,
    details: { server, form },
  });
  if (!approval.approved) return { action: "decline" };
  const content = { ...defaultsOf(form), ...approval.input };
  return fits(content, form)
    ? { action: "accept", content: content as NonNullable<ElicitResult["content"]> }
    : { action: "decline" };
}

function fieldsOf(form: JsonObject): JsonObject {
  const { properties } = form;
  return isObject(properties) ? properties : {};
}

function defaultsOf(form: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fieldsOf(form)).flatMap(([name, field]) =>
      isObject(field) && field["default"] !== undefined ? [[name, field["default"]]] : [],
    ),
  );
}

/** Forms are flat, so that this much of a schema is all there is. */
function fits(content: JsonObject, form: JsonObject): boolean {
  const { required } = form;
  const fields = fieldsOf(form);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  if (!needed.every((name) => typeof name === "string" && Object.hasOwn(content, name))) return false;
  return Object.entries(content).every(
    ([name, value]) => Object.hasOwn(fields, name) && isOfType(value, fields[name]),
  );
}

function isOfType(value: Json, field: Json | undefined): boolean {
  const { type } = isObject(field) ? field : {};
  if (type === "array") return Array.isArray(value) && value.every((one) => typeof one === "string");
  if (type === "integer") return Number.isInteger(value);
  if (type === "number" || type === "boolean") return typeof value === type;
  return typeof value === "string";
}
