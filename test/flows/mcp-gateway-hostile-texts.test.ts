import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rawServer, toolOf, until } from "../support/mcp.ts";
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
  const found = await listed();
  assert.equal(found?.description, SHOWN);
  assert.equal(found?.title, SHOWN);
  assert.equal(found?.annotations?.title, SHOWN);
  assert.equal(found?.annotations?.readOnlyHint, true);
  assert.deepEqual(found?._meta?.["title"], BOTH);
  assert.deepEqual(found?.inputSchema.properties, {
    text: { type: "string", title: SHOWN, description: SHOWN, ...values },
    title: { type: "object", properties: { inner: { type: "string", description: SHOWN } } },
  });
  const [resource] = (await client.listResources()).resources.filter(({ uri }) => uri === "test://one");
  assert.deepEqual([resource?.name, resource?.title, resource?.description], [SHOWN, SHOWN, SHOWN]);
  assert.deepEqual(resource?._meta, { title: BOTH });
  const { resourceTemplates } = await client.listResourceTemplates();
  const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === "test://{id}");
  assert.deepEqual([template?.name, template?.description], [SHOWN, SHOWN]);
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    [prompts[0]?.title, prompts[0]?.description, prompts[0]?.arguments?.[0]?.description],
    [SHOWN, SHOWN, SHOWN],
  );
  // The instructions are approved with the definitions, and known to the next client.
  const next = await connectMcp(t, place, { args: ["--mode", "yolo"] });
  assert.ok(next.client.getInstructions()?.includes(SHOWN));
});
