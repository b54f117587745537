import type { Json, JsonObject } from "../../core/json.ts";
import { POLICY_SCHEMA } from "../../policy/rules/policy-schema.ts";
import { object, optional, record, string } from "../../schema/define/schema.ts";
import { MCP_SERVERS_SCHEMA } from "../../sources/mcp/config/written-server.ts";
import type { Setting } from "./settings/setting.ts";
import { SETTINGS } from "./settings/settings.ts";

/** The files that an editor can check and complete. */
const FILES = {
  config: { file: "config.json", schema: configSchema },
  policy: { file: "policy.json", schema: (): JsonObject => POLICY_SCHEMA },
  mcp: { file: ".mcp.json", schema: mcpSchema },
} as const;

/** The kinds of files that editors have a schema for. */
export type EditorSchema = keyof typeof FILES;
export const EDITOR_SCHEMAS = Object.keys(FILES) as readonly EditorSchema[];

/** Returns the JSON Schema of a config file, for editors. */
export function editorSchema(name: EditorSchema): JsonObject {
  const title = `Toolwright: ${FILES[name].file}`;
  return { $schema: "http://json-schema.org/draft-07/schema#", title, ...FILES[name].schema() };
}

function configSchema(): JsonObject {
  const settings = Object.entries(SETTINGS).map(([key, one]) => [key, optional(describe(key, one))] as const);
  const fields = Object.fromEntries(settings);
  const profile = object(fields, "Settings of this profile, over those of the file");
  return object(
    {
      $schema: optional(string()),
      ...fields,
      profile: optional(
        string("The profile that is used unless --profile names another; your own file only"),
      ),
      profiles: optional(record(profile, "Named sets of settings; your own file only")),
    },
    "Settings of Toolwright; see docs/configuration.md",
  );
}

function describe(key: string, { summary, schema, fallback }: Setting<unknown>): JsonObject {
  // Each server is checked on its own, so that one mistake does not switch off the others.
  const whole = key === "mcpServers" ? MCP_SERVERS_SCHEMA : schema;
  const hasDefault = fallback !== undefined && fallback !== "";
  return { ...whole, description: summary, ...(hasDefault && { default: fallback as Json }) };
}

function mcpSchema(): JsonObject {
  const fields = { $schema: optional(string()), mcpServers: optional(MCP_SERVERS_SCHEMA) };
  // Other clients have keys of their own in this file.
  return { ...object(fields, "MCP servers of a project; see docs/mcp.md"), additionalProperties: true };
}
