import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/client";
import type { ToolContext } from "../../../core/context.ts";
import type { JsonObject } from "../../../core/json.ts";
import { defaultsOf, fieldsOf, problemWith, type FormField } from "../transport/form.ts";

/**
 * Passes a form of a server to the approver of the running call. Answers only with what the approver filled in; declines a request
 * outside of any call, and an approval that lacks required fields.
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
  if (!approval.approved) return { action: approval.dismissed === true ? "cancel" : "decline" };
  const fields = fieldsOf(form);
  if (fields === undefined) return { action: "decline" };
  const content = { ...defaultsOf(fields), ...approval.input };
  return fits(content, fields)
    ? { action: "accept", content: content as NonNullable<ElicitResult["content"]> }
    : { action: "decline" };
}

function fits(content: JsonObject, fields: readonly FormField[]): boolean {
  const known = new Map(fields.map((field) => [field.name, field]));
  const isWhole = fields.every(({ name, isRequired }) => !isRequired || Object.hasOwn(content, name));
  return (
    isWhole &&
    Object.entries(content).every(([name, value]) => {
      const field = known.get(name);
      return field !== undefined && problemWith(field, value) === undefined;
    })
  );
}
