// Malformed input of programs that read and write lines: one answer each, and the next line is read.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { serveMcp } from "../../src/app/gateway/serve-engine.ts";
import { main as toolServer, type ServerProcess } from "../../src/app/tool-server/main.ts";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { parseJson } from "../../src/util/json/parse-json.ts";
import { engineOf } from "../support/engines/sources.ts";
import { HANDSHAKE } from "../support/servers/wrong-parameters.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startMain, until } from "./support/cli.ts";
import { INPUTS, TOOL, tryDoor, whetherRuns } from "./support/malformed.ts";
import { createReplPlace } from "./support/repl.ts";

/** A program that reads and writes lines: sends one, then one that is known to be answered last, and counts the answers before that. */
function lineDoor(input: PassThrough, output: PassThrough) {
  const lines: string[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (piece: string) => {
    const all = (rest + piece).split("\n");
    rest = all.pop() ?? "";
    lines.push(...all);
  });
  return {
    lines,
    /** Returns the lines that are answers, up to that to the second message. */
    async send(
      text: string,
      last: JsonObject,
      isAnswer: (line: JsonObject) => boolean,
      isLast: (line: JsonObject) => boolean,
    ): Promise<readonly JsonObject[]> {
      const from = lines.length;
      const since = (): readonly JsonObject[] => lines.slice(from).map(toObject);
      input.write(`${text}\n${JSON.stringify(last)}\n`);
      // A request that runs may be answered after the next one.
      await until(
        `an answer to ${text.slice(0, 500)}`,
        () => since().some(isLast) && since().some((line) => isAnswer(line) && !isLast(line)),
        10_000,
      );
      return since().filter((line) => isAnswer(line) && !isLast(line));
    },
  };
}

/** The tool server writes lists: the id, the kind, and what belongs to it. */
function toObject(line: string): JsonObject {
  const message = parseJson(line) as JsonObject | readonly Json[];
  return Array.isArray(message)
    ? { id: message[0], type: message[1], data: message[2] }
    : (message as JsonObject);
}

const isAnswer = (line: JsonObject): boolean => line["method"] === undefined;
const hasId =
  (id: string) =>
  (line: JsonObject): boolean =>
    line["id"] === id;

test("a malformed request of MCP over stdio has one answer", async (t) => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveMcp(engineOf(t, { tools: [TOOL] }), { stdin, stdout, log: () => undefined });
  t.after(() => served.close());
  const door = lineDoor(stdin, stdout);
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: "h", method: "initialize", params: HANDSHAKE })}\n`);
  stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  await until("the handshake", () => door.lines.length > 0);
  const messages = INPUTS.map((input) => ({
    jsonrpc: "2.0",
    id: "a",
    method: "tools/call",
    params: { name: "note", arguments: input },
  }));
  await tryDoor(t, messages, (text, index) =>
    whetherRuns(async () => {
      const id = `p${index}`;
      // Without an id it is a notification, which nothing answers.
      if (isNotification(text)) return 1;
      return (await door.send(text, { jsonrpc: "2.0", id, method: "ping" }, isAnswer, hasId(id))).length;
    }),
  );
});

function isNotification(text: string): boolean {
  const message = parseJson(text);
  return typeof message === "object" && message !== null && !("id" in message);
}

test("a malformed line of the tool server has one answer", async (t) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a.txt"), "a\n");
  const own = { stdin, stdout, stderr, env: process.env, on: () => own } as unknown as ServerProcess;
  const ended = toolServer(["--stdio", "--workspace", folder], own);
  t.after(async () => {
    stdin.end();
    await ended;
  });
  const door = lineDoor(stdin, stdout);
  await until("it is ready", () => door.lines.length > 0);
  const messages = [{}, { offset: 1, limit: 5 }].map((more) => ({
    id: "a",
    tool: "read_file",
    params: { path: "a.txt", ...more },
  }));
  await tryDoor(t, messages, async (text, index) => {
    const id = `p${index}`;
    const isEnd = ({ type }: JsonObject): boolean => type !== "progress";
    const answers = await door.send(text, { id, tool: "nope", params: {} }, isEnd, hasId(id));
    return { answers: answers.length, isReached: JSON.stringify(answers).includes('"ok":true') };
  });
});

test("a malformed prompt of an editor (ACP) has one answer", async (t) => {
  const place = createReplPlace(t, [{ text: "Read.", repeat: true }]);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const args = ["acp", "--model", `scripted/${place.folder}/story.jsonl`];
  const { ended } = startMain(place, args, { stdin, stdout, stderr });
  stderr.resume();
  t.after(async () => {
    stdin.end();
    await ended;
  });
  const door = lineDoor(stdin, stdout);
  const ask = async (id: string, method: string, params: Json): Promise<JsonObject> => {
    const from = door.lines.length;
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const found = (): JsonObject | undefined =>
      door.lines
        .slice(from)
        .map((line) => parseJson(line) as JsonObject)
        .find(hasId(id));
    await until(method, () => found() !== undefined);
    return found()?.["result"] as JsonObject;
  };
  await ask("i", "initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await ask("n", "session/new", { cwd: place.folder, mcpServers: [] });
  const prompt = [{ type: "text", text: "go" }];
  const more = { uri: "file:///a.txt", name: "a" };
  const messages = [prompt, [...prompt, { type: "resource_link", ...more }]].map((one) => ({
    jsonrpc: "2.0",
    id: "a",
    method: "session/prompt",
    params: { sessionId: sessionId ?? null, prompt: one },
  }));
  await tryDoor(t, messages, async (text, index) => {
    if (isNotification(text)) return { answers: 1, isReached: false };
    const id = `p${index}`;
    const last = {
      jsonrpc: "2.0",
      id,
      method: "session/set_mode",
      params: { sessionId: sessionId ?? null, modeId: "nope" },
    };
    const answers = await door.send(text, last, isAnswer, hasId(id));
    return { answers: answers.length, isReached: JSON.stringify(answers).includes("stopReason") };
  });
});
