import { isObject, type JsonObject } from "../../core/json.ts";

/** Parameter names of other systems; accepted, never shown. */
const COMMON: Readonly<Record<string, string>> = {
  file_path: "path",
  directory: "path",
  old_text: "old_string",
  old_str: "old_string",
  target: "old_string",
  new_text: "new_string",
  new_str: "new_string",
  replacement: "new_string",
  text: "content",
  file_text: "content",
  offset: "start_line",
  line_limit: "limit",
  timeout: "timeout_seconds",
};

/** Returns the aliases that apply to a tool: it has the target, and no parameter with the name of the alias. */
export function parameterAliasesOf(input: JsonObject): Readonly<Record<string, string>> {
  const parameters = input["properties"];
  if (!isObject(parameters)) return {};
  const applies = ([alias, target]: [string, string]): boolean =>
    Object.hasOwn(parameters, target) && !Object.hasOwn(parameters, alias);
  return Object.fromEntries(Object.entries(COMMON).filter(applies));
}
