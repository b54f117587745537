import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { brokenOff } from "../answer/broken-off.ts";
import { ProviderFault } from "./provider-fault.ts";
import { rewriteBody } from "./rewrite-body.ts";

/** What the package for Ollama says and hears otherwise than Ollama's API has it, put right on the wire. */
export function ollamaFetch(inner: typeof fetch): typeof fetch {
  const asking = rewriteBody(inner, requestMended);
  return async (input, init) => {
    const response = await asking(input, init);
    if (!response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const lines = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(mendedLines());
    return new Response(lines.pipeThrough(new TextEncoderStream()), { status, statusText, headers });
  };
}

/** The package turns thinking off unless told otherwise, names a result by its call's id alone, and writes no text as a list. */
function requestMended({ think, ...body }: JsonObject): JsonObject {
  const messages = (Array.isArray(body["messages"]) ? body["messages"] : []) as readonly JsonObject[];
  const names = new Map(messages.flatMap(namesIn));
  return {
    ...body,
    ...(think === true && { think }),
    messages: messages.map(({ content = "", ...message }) => {
      const name = names.get(message["tool_call_id"]);
      return {
        ...message,
        content: typeof content === "string" ? content : "",
        ...(name !== undefined && { tool_name: name }),
      };
    }),
  };
}

function namesIn(message: JsonObject): readonly (readonly [Json | undefined, Json])[] {
  const calls = (Array.isArray(message["tool_calls"]) ? message["tool_calls"] : []) as readonly JsonObject[];
  return calls.flatMap(({ id, function: called }) => (isObject(called) ? [[id, called["name"] ?? ""]] : []));
}

/** The package prints and forgets a line that it does not expect, an error among them, and takes an answer without an end for whole. */
function mendedLines(): TransformStream<string, string> {
  let rest = "";
  let isOver = false;
  const give = (line: string, controller: TransformStreamDefaultController<string>): void => {
    if (line.trim() === "") return;
    const value = parse(line);
    if (typeof value["error"] === "string") throw new ProviderFault(value["error"], 500);
    isOver ||= value["done"] === true;
    controller.enqueue(`${JSON.stringify(whole(value))}\n`);
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) give(line, controller);
    },
    flush: (controller) => {
      give(rest, controller);
      if (!isOver) throw brokenOff();
    },
  });
}

function parse(line: string): JsonObject {
  const value = parseJson(line);
  if (isObject(value)) return value;
  throw new ProviderFault("a line of the answer is not JSON", 500);
}

/** Older servers leave out what the package wants to see, and give no reason for the end. */
function whole(value: JsonObject): JsonObject {
  const message = isObject(value["message"]) ? value["message"] : {};
  return {
    model: "",
    created_at: "",
    done: false,
    ...(value["done"] === true && { done_reason: "stop" }),
    ...value,
    message: { role: "assistant", content: "", ...message },
  };
}
