import assert from "node:assert/strict";
import { test } from "node:test";
import type { Content } from "../core/content.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { ToolResult } from "../core/result.ts";
import type { ProviderFormat } from "./provider-shapes.ts";
import { toMcpResult } from "./mcp.ts";
import { toProviderMessages } from "./to-provider-messages.ts";
import { createToolNames } from "./tool-names.ts";

const META = { startedAt: 0, durationMs: 1, place: "host", attempts: 1, source: "app" } as const;
const PIXEL: Content = { type: "image", data: "iVBORw0=", mimeType: "image/png" };
const PDF: Content = { type: "file", data: "JVBERg==", mimeType: "application/pdf", name: "a.pdf" };
const NOTES: Content = {
  type: "file",
  data: Buffer.from("hi").toString("base64"),
  mimeType: "text/markdown",
};
const SOUND: Content = { type: "audio", data: "UklGRg==", mimeType: "audio/wav" };
const ZIP: Content = { type: "file", data: "UEsD", mimeType: "application/zip", name: "z.zip" };

function ok(callId: string, content: string | readonly Content[], data?: Json): ToolResult {
  const pieces = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return {
    ok: true,
    callId,
    name: "tool.one",
    content: pieces,
    meta: META,
    ...(data !== undefined && { data }),
  };
}

function failed(callId: string, ...more: readonly Content[]): ToolResult {
  const text = { type: "text", text: "Error: no" } as const;
  const error = { code: "TOOL_FAILED", message: "no" } as const;
  return { ok: false, callId, name: "two", content: [text, ...more], meta: META, error };
}

const PLAIN: Readonly<Record<ProviderFormat, readonly JsonObject[]>> = {
  openai: [
    { role: "tool", tool_call_id: "1", content: "yes" },
    { role: "tool", tool_call_id: "2", content: "Error: no" },
  ],
  "openai-responses": [
    { type: "function_call_output", call_id: "1", output: "yes" },
    { type: "function_call_output", call_id: "2", output: "Error: no" },
  ],
  anthropic: [
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "yes" }] },
        {
          type: "tool_result",
          tool_use_id: "2",
          content: [{ type: "text", text: "Error: no" }],
          is_error: true,
        },
      ],
    },
  ],
  google: [
    {
      role: "user",
      parts: [
        { functionResponse: { id: "1", name: "tool_one", response: { output: "yes" } } },
        { functionResponse: { id: "2", name: "two", response: { error: "Error: no" } } },
      ],
    },
  ],
  mcp: [
    { content: [{ type: "text", text: "yes" }], structuredContent: { a: 1 } },
    { content: [{ type: "text", text: "Error: no" }], isError: true },
  ],
};

for (const [format, expected] of Object.entries(PLAIN) as [ProviderFormat, readonly JsonObject[]][]) {
  test(`${format}: answers come back in call order, the failure marked`, () => {
    assert.deepEqual(toProviderMessages([ok("1", "yes", { a: 1 }), failed("2")], format), expected);
  });

  test(`${format}: no answer makes no message`, () => {
    assert.deepEqual(toProviderMessages([], format), []);
  });
}

test("OpenAI: all tool messages come first, then one user message with the attachments", () => {
  const messages = toProviderMessages(
    [ok("1", [{ type: "text", text: "see" }, PIXEL]), ok("2", [PDF, SOUND, ZIP])],
    "openai",
  );
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["tool", "tool", "user"],
  );
  assert.equal(messages[0]?.["content"], "see\n[image, image/png: attached in the next user message]");
  assert.match(messages[1]?.["content"] as string, /\[file z\.zip, application\/zip: cannot be shown here\]/);
  assert.deepEqual(messages[2]?.["content"], [
    { type: "text", text: "From tool.one (1):" },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0=" } },
    { type: "text", text: "From tool.one (2):" },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
    { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
  ]);
});

test("OpenAI Responses: images and files are parts of the output", () => {
  const [item] = toProviderMessages(
    [ok("1", [{ type: "text", text: "see" }, PIXEL, PDF, SOUND])],
    "openai-responses",
  );
  assert.deepEqual(item?.["output"], [
    { type: "input_text", text: "see" },
    { type: "input_image", image_url: "data:image/png;base64,iVBORw0=" },
    { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" },
    { type: "input_text", text: "[audio, audio/wav: cannot be shown here]" },
  ]);
});

test("Anthropic: images are image blocks, PDF and text files documents, the rest a note", () => {
  const messages = toProviderMessages([ok("1", [PIXEL, PDF, NOTES, ZIP])], "anthropic");
  const [message] = messages as unknown as readonly [{ readonly content: readonly [JsonObject] }];
  assert.deepEqual(message.content[0]["content"], [
    { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0=" } },
    {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
      title: "a.pdf",
    },
    { type: "document", source: { type: "text", media_type: "text/plain", data: "hi" } },
    { type: "text", text: "[file z.zip, application/zip: cannot be shown here]" },
  ]);
});

test("Anthropic: a failure carries text only, and empty text makes no block", () => {
  const [message] = toProviderMessages([failed("1", PIXEL), ok("2", "")], "anthropic");
  assert.deepEqual(message?.["content"], [
    {
      type: "tool_result",
      tool_use_id: "1",
      content: [
        { type: "text", text: "Error: no" },
        { type: "text", text: "[image, image/png: cannot be shown here]" },
      ],
      is_error: true,
    },
    { type: "tool_result", tool_use_id: "2" },
  ]);
});

test("Google: attachments follow all responses, and names are those that were shown", () => {
  const names = createToolNames(["tool.one", "tool one"], "google");
  const [message] = toProviderMessages([ok("1", [PIXEL]), failed("2")], "google", names);
  const parts = message?.["parts"] as readonly { readonly functionResponse?: { readonly name: string } }[];
  assert.equal(parts[0]?.functionResponse?.name, names.shown("tool.one"));
  assert.notEqual(names.shown("tool.one"), "tool_one");
  assert.deepEqual(parts[2], { inlineData: { mimeType: "image/png", data: "iVBORw0=" } });
});

test("MCP: data that is not an object is wrapped, and files are resources with their own URI", () => {
  const [result] = toProviderMessages([ok("id/1", [SOUND, PDF], [1, 2])], "mcp");
  assert.deepEqual(result, {
    content: [
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
      {
        type: "resource",
        resource: {
          uri: "toolwright://answers/id%2F1/1/a.pdf",
          mimeType: "application/pdf",
          blob: "JVBERg==",
        },
      },
    ],
    structuredContent: { result: [1, 2] },
  });
});

test("MCP: a URI is made from any id, even malformed text", () => {
  const results = toProviderMessages([ok("\ud800", [PDF])], "mcp");
  const [result] = results as unknown as readonly [{ content: readonly [{ resource: { uri: string } }] }];
  assert.ok(URL.canParse(result.content[0].resource.uri));
});

test("a resource link is a link for MCP clients that know links, and text for all others", () => {
  const link = { uri: "a://b", name: "b", description: "more", type: "text" };
  const text = "[resource b a://b: more]";
  const linked = ok("1", [{ type: "text", text, link }]);
  const results = [linked];
  assert.deepEqual(toProviderMessages(results, "mcp"), [{ content: [{ ...link, type: "resource_link" }] }]);
  assert.deepEqual(toMcpResult(linked, { hasLinks: false }), { content: [{ type: "text", text }] });
  for (const format of ["openai", "openai-responses", "anthropic", "google"] as const) {
    const shown = JSON.stringify(toProviderMessages(results, format));
    assert.ok(shown.includes(text) && !shown.includes('"uri"'), shown);
  }
});
