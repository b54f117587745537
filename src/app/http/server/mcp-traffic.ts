import type { McpMessage, McpSource } from "../../../sources/mcp/types/source-types.ts";
import type { AnswerOf } from "../api/routes.ts";

type Message = AnswerOf<"traffic">["messages"][number];

/** How many messages of each server are held. */
const HELD = 200;

/** The last messages of MCP servers. */
export interface McpTraffic {
  /** Returns the messages of a source, oldest first. */
  of(source: string): readonly Message[];
  close(): void;
}

/** Holds the last messages of each server from now on, in memory. */
export function followTraffic(sources: readonly Pick<McpSource, "name" | "watchMessages">[]): McpTraffic {
  const held = new Map<string, Message[]>();
  const stops = sources.map(({ name, watchMessages }) => {
    const messages: Message[] = [];
    held.set(name, messages);
    let count = 0;
    return watchMessages((message) => {
      messages.push(toMessage(message, (count += 1), messages));
      if (messages.length > HELD) messages.shift();
    });
  });
  return {
    of: (source) => held.get(source) ?? [],
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** An answer gets the method of its request, and how long it took. */
function toMessage(message: McpMessage, number: number, before: readonly Message[]): Message {
  const { at, direction, id = null, method, isError, bytes, text } = message;
  const common = { number, at, direction, id, bytes, text };
  if (method !== undefined)
    return { ...common, kind: id === null ? "notification" : "request", method, tookMs: null };
  const request = before.findLast(
    (one) => one.id === id && one.kind === "request" && one.direction !== direction,
  );
  return {
    ...common,
    kind: isError ? "error" : "answer",
    method: request?.method ?? null,
    tookMs: request === undefined ? null : at - request.at,
  };
}
