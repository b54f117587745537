import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rawServer, toolOf, until } from "../support/servers/mcp.ts";
import { createPlace } from "./support/cli.ts";
import { connectMcp } from "./support/mcp-client.ts";

/** Terminal escapes of C0 and C1, deletion, and marks that change the direction of text. */
const HOSTILE = "a\u001b[2Kb\u0007c\u009b31md\u202ee\u2066f\u2069g\u200eh\u061ci\u007fj\rk";
const ESCAPED =
  "a\\u{1b}[2Kb\\u{7}c\\u{9b}31md\\u{202e}e\\u{2066}f\\u{2069}g\\u{200e}h\\u{61c}i\\u{7f}j\\u{d}k";
/** Texts of other languages, joined pictographs and line ends are equal for the client. */
const HARMLESS = "日本語\tñ\r\nעברית می\u200cخواهم 👩\u200d👩\u200d👧 \u00ad\u200b";

const BOTH = `${HOSTILE} ${HARMLESS}`;
const SHOWN = `${ESCAPED} ${HARMLESS}`;

test("control and bidirectional characters in a server's lists are escaped for clients, all else is equal", async (t) => {
  const place = createPlace(t);
  const values = { enum: [BOTH], default: { title: BOTH }, const: BOTH };
  const tool = {
    description: BOTH,
    title: BOTH,
    annotations: { title: BOTH, readOnlyHint: true },
    _meta: { title: BOTH },
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", title: BOTH, description: BOTH, ...values },
        title: { type: "object", properties: { inner: { type: "string", description: BOTH } } },
      },
    },
  };
  const server = rawServer(t, {
    tools: [toolOf("echo", tool)],
    resources: [{ uri: "test://one", name: BOTH, title: BOTH, description: BOTH, _meta: { title: BOTH } }],
    templates: [{ uriTemplate: "test://{id}", name: BOTH, description: BOTH }],
    prompts: [{ name: "ask", title: BOTH, description: BOTH, arguments: [{ name: "x", description: BOTH }] }],
    instructions: BOTH,
  }).server;
  const { command, args } = server;
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mcpServers: { raw: { command, args } } }));
  const { client } = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  const listed = async () => (await client.listTools()).tools.find(({ name }) => name === "raw__echo");
  await until(async () => (await listed()) !== undefined, "the server is connected");
  assert.partialDeepStrictEqual(await listed(), {
    description: SHOWN,
    title: SHOWN,
    annotations: { title: SHOWN, readOnlyHint: true },
    _meta: { title: BOTH },
    inputSchema: {
      properties: {
        text: { type: "string", title: SHOWN, description: SHOWN, ...values },
        title: { type: "object", properties: { inner: { type: "string", description: SHOWN } } },
      },
    },
  });
  const { resources } = await client.listResources();
  const texts = { name: SHOWN, title: SHOWN, description: SHOWN };
  assert.partialDeepStrictEqual(
    resources.find(({ uri }) => uri === "test://one"),
    {
      ...texts,
      _meta: { title: BOTH },
    },
  );
  const { resourceTemplates } = await client.listResourceTemplates();
  const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === "test://{id}");
  assert.partialDeepStrictEqual(template, { name: SHOWN, description: SHOWN });
  const { prompts } = await client.listPrompts();
  assert.partialDeepStrictEqual(prompts, [
    { title: SHOWN, description: SHOWN, arguments: [{ name: "x", description: SHOWN }] },
  ]);
  // The instructions are approved with the definitions, and known to the next client.
  const next = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  assert.ok(next.client.getInstructions()?.includes(SHOWN));
});
