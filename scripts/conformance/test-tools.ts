import { setTimeout as wait } from "node:timers/promises";
import { Reply, image } from "../../src/core/content.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { ToolError } from "../../src/core/errors.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { object, string } from "../../src/schema/define/schema.ts";
import { StreamEnd } from "../../src/sources/mcp/types/client-keys.ts";
import type { Tool } from "../../src/core/tool.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";
const NOTHING = object({});

/** The tools that the official suite asks a server to have, as ordinary tools of an engine. */
export function conformanceTools(): readonly Tool[] {
  const pixel = image(Buffer.from(PIXEL, "base64"), "image/png");
  return [
    plain("test_simple_text", () => "This is a simple text response for testing."),
    plain("test_image_content", () => new Reply([pixel])),
    plain("test_audio_content", () => new Reply([{ type: "audio", data: SOUND, mimeType: "audio/wav" }])),
    plain(
      "test_embedded_resource",
      () => new Reply([file("embedded.txt", "This is an embedded resource content.")]),
    ),
    plain("test_multiple_content_types", () => {
      const parts = [file("mixed.json", '{"test":"data","value":123}')];
      return new Reply([{ type: "text", text: "Multiple content types test:" }, pixel, ...parts]);
    }),
    plain("test_error_handling", () => {
      throw new ToolError("TOOL_FAILED", "This tool intentionally returns an error for testing");
    }),
    plain("test_tool_with_logging", async (_, { emit }) => {
      for (const word of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        emit(word);
        await wait(50);
      }
      return "done";
    }),
    plain("test_tool_with_progress", async (_, { emit }) => {
      for (const done of [0, 50, 100]) {
        emit({ done, total: 100 });
        await wait(50);
      }
      return "done";
    }),
    defineTool({
      name: "test_elicitation",
      description: "Asks for a name and an address.",
      input: object({ message: string("What is asked") }),
      risk: "low",
      effects: "none",
      run: ({ message }, { ask }) => answered(ask({ text: message, details: { form: PERSON } })),
    }),
    ...["elicitation", "request_state", "tampered_state"].map((name) =>
      asking(`test_input_required_result_${name}`, PERSON),
    ),
    plain("test_input_required_result_multi_round", async (_, { ask }) => {
      for (const text of ["Step 1: What is your name?", "Step 2: What is your favorite color?"])
        await ask({ text, details: { form: PERSON } });
      return "done";
    }),
    plain("test_logging_tool", (_, { emit }) => {
      emit("a word");
      return "done";
    }),
    plain("test_reconnection", async (_, { find }) => {
      find(StreamEnd)?.();
      await wait(100);
      return "Reconnection test completed";
    }),
    {
      ...plain("test_header_parameter", () => "done"),
      input: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } },
    },
    asking("test_streaming_elicitation", PERSON),
    asking("test_elicitation_sep1034_defaults", DEFAULTS),
    asking("test_elicitation_sep1330_enums", ENUMS),
    {
      ...plain("json_schema_2020_12_tool", () => "fits"),
      input: SCHEMA_2020_12,
    },
  ];
}

type Run = Tool["run"];

/** A tool without parameters. */
export function plain(name: string, run: Run): Tool {
  return defineTool({
    name,
    description: `For the suite: ${name}.`,
    input: NOTHING,
    risk: "low",
    effects: "none",
    run,
  });
}

function asking(name: string, form: JsonObject): Tool {
  return plain(name, (_, { ask }) => answered(ask({ text: "Please fill in the form", details: { form } })));
}

async function answered(asked: Promise<unknown>): Promise<string> {
  return `Elicitation completed: ${JSON.stringify(await asked)}`;
}

function file(name: string, text: string): { type: "file"; data: string; mimeType: string; name: string } {
  const mimeType = name.endsWith(".json") ? "application/json" : "text/plain";
  return { type: "file", data: Buffer.from(text).toString("base64"), mimeType, name };
}

const PERSON: JsonObject = {
  type: "object",
  properties: {
    username: { type: "string", description: "User's response" },
    email: { type: "string", description: "User's email address" },
  },
  required: ["username", "email"],
};

const DEFAULTS: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

const TITLED = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];
const OPTIONS = ["option1", "option2", "option3"];

const ENUMS: JsonObject = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: OPTIONS },
    titledSingle: { type: "string", oneOf: TITLED },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: OPTIONS } },
    titledMulti: { type: "array", items: { anyOf: TITLED } },
  },
};

const SCHEMA_2020_12: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};
