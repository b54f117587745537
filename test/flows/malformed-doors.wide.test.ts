// Malformed input at seven doors: one answer each, and the door is open afterwards. Those that read lines are in `malformed-lines.wide.test.ts`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createMcpHttp } from "../../src/app/gateway/http/mcp-http.ts";
import { createApprovals } from "../../src/app/gateway/sessions/approvals.ts";
import { createGateway } from "../../src/app/gateway/sessions/gateway.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { answerCalls, createEngine } from "../../src/index.ts";
import { parseJson } from "../../src/util/json/parse-json.ts";
import { engineOf } from "../support/engines/sources.ts";
import { openApi, petsApi, run, serveApi, specFile } from "../support/servers/openapi.ts";
import { HANDSHAKE } from "../support/servers/wrong-parameters.ts";
import { createPlace, runCli } from "./support/cli.ts";
import { INPUTS, TOOL, tryDoor, whetherRuns } from "./support/malformed.ts";
import { startServe } from "./support/serve.ts";

test("a malformed request of MCP over HTTP has one answer", async (t) => {
  const gateway = createGateway({ engine: engineOf(t, { tools: [TOOL] }), approvals: createApprovals() });
  const mcp = await createMcpHttp(gateway, [], () => undefined);
  t.after(async () => {
    await mcp.close();
    await gateway.close();
  });
  let session: string | null = null;
  const post = async (body: string): Promise<string> => {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": `${Buffer.byteLength(body)}`,
      ...(session !== null && { "mcp-session-id": session, "mcp-protocol-version": "2025-06-18" }),
    };
    const response = await mcp.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
    session ??= response.headers.get("mcp-session-id");
    return response.status === 202 ? "{}" : response.text();
  };
  await post(JSON.stringify({ jsonrpc: "2.0", id: "h", method: "initialize", params: HANDSHAKE }));
  const messages = INPUTS.map((input) => ({
    jsonrpc: "2.0",
    id: "a",
    method: "tools/call",
    params: { name: "note", arguments: input },
  }));
  await tryDoor(t, messages, (text) =>
    whetherRuns(async () => {
      const answer = await post(text);
      const events = [...answer.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => json);
      const answers = (events.length > 0 ? events : [answer]).map((one) => JSON.parse(one) as JsonObject);
      return answers.filter(({ method }) => method === undefined).length;
    }),
  );
});

test("a malformed line of batch has one answer", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "a\n");
  const messages = [{}, { offset: 1, limit: 5 }].map((more) => ({
    id: "a",
    name: "read_file",
    input: { path: "a.txt", ...more },
  }));
  await tryDoor(t, messages, async (text) => {
    const { stdout } = await runCli(place, ["batch"], { input: `${text}\n` });
    const answers = stdout.split("\n").filter(Boolean);
    return { answers: answers.length, isReached: stdout.includes('"ok":true') };
  });
});

test("malformed arguments of call have one answer", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "a\n");
  const messages = [{ path: "a.txt" }, { path: "a.txt", offset: 1, limit: 5 }];
  await tryDoor(t, messages, async (text, index) => {
    // As JSON, and as one argument for each member.
    const input = parseJson(text);
    const members =
      typeof input === "object" && input !== null && index % 2 === 1
        ? Object.entries(input).map(([name, value]) =>
            `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`.replaceAll("\0", ""),
          )
        : ["--args", text];
    const { stdout, stderr } = await runCli(place, ["call", "read_file", ...members, "--json"]);
    const answers = stdout.split("\n").filter(Boolean).length;
    return {
      answers: answers === 0 && /^toolwright: /m.test(stderr) ? 1 : answers,
      isReached: stdout.includes('"ok":true'),
    };
  });
});

test("with a malformed config file a command answers or says what is wrong", async (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.folder, "more"));
  const messages = [
    { mode: "auto", timeoutSeconds: 30, concurrency: 4, groups: { web: false } },
    {
      mode: "auto",
      roots: [join(place.folder, "more")],
      environment: ["CI"],
      keepDays: 10,
      externalTools: { own: { risk: "low" } },
    },
  ];
  await tryDoor(t, messages, async (text) => {
    writeFileSync(join(place.home, "config.json"), text);
    const { stdout, stderr } = await runCli(place, ["call", "ls", "--json"]);
    const answers = stdout.split("\n").filter(Boolean).length;
    return {
      answers: answers === 0 && /^toolwright: /m.test(stderr) ? 1 : answers,
      isReached: stdout.includes('"ok":true'),
    };
  });
});

test("a malformed call over HTTP has one answer", async (t) => {
  const place = createPlace(t);
  place.write("a.txt", "a\n");
  const { address, token } = await startServe(t, place);
  const messages = [{}, { offset: 1, limit: 5 }].map((more) => ({
    name: "read_file",
    input: { path: "a.txt", ...more },
    timeoutMs: 20_000,
  }));
  await tryDoor(t, messages, async (body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(new URL("/api/calls", address), { method: "POST", headers, body });
    const answer = (await response.json()) as JsonObject;
    return { answers: 1, isReached: answer["ok"] === true };
  });
});

test("with a malformed OpenAPI document a call has one answer", async (t) => {
  const { port, origin, received } = await serveApi(t, { body: "[]" });
  await tryDoor(t, [petsApi(origin)], async (text) => {
    const before = received.length;
    const { engine } = await openApi(t, { spec: specFile(t, text), port });
    const answer = await run(engine, "pets_list");
    const answers = typeof answer.ok === "boolean" ? 1 : 0;
    await engine.close();
    return { answers, isReached: received.length > before };
  });
});

test("a malformed call of a model has one answer", async (t) => {
  const engine = createEngine({ tools: [TOOL] });
  t.after(() => engine.close());
  const messages = INPUTS.map((input) => ({
    call: { id: "c1", type: "function", function: { name: "note" } },
    input,
  }));
  await tryDoor(t, messages, (text) =>
    whetherRuns(async () => {
      // The text of the arguments is what a model writes; the rest is written by its server.
      const message = parseJson(text) as { readonly input?: Json } | undefined;
      const written = message === undefined ? text : JSON.stringify(message.input ?? null);
      const call = { id: "c1", type: "function", function: { name: "note", arguments: written } };
      const turn = { role: "assistant", content: null, tool_calls: [call] } as const;
      return (await answerCalls(engine, turn as never, "openai")).length - 1;
    }),
  );
});
