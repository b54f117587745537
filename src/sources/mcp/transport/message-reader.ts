import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject } from "../../../core/json.ts";
import { createLineReader } from "../../../util/text/line-reader.ts";
import { parseJson } from "../../../util/json/parse-json.ts";

export interface MessageReaderOptions {
  readonly maxCharacters: number;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Takes each line that is no message: servers print greetings, and what they should have logged. */
  readonly onNoise: (line: string) => void;
}

/** A line was longer than a message may be. */
export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** Reads messages, one a line, from the output of a server, which comes cut anywhere. Throws where a line grows beyond the limit. */
export function createMessageReader(options: MessageReaderOptions): (text: string) => void {
  const { maxCharacters, onMessage, onNoise } = options;
  return createLineReader({
    maxCharacters,
    onTooLong() {
      throw new LineTooLongError(`a message is longer than ${maxCharacters} characters`);
    },
    onLine(line) {
      const messages = parseMessages(line);
      if (messages !== undefined) for (const message of messages) onMessage(message);
      else if (line.trim() !== "") onNoise(line);
    },
  });
}

/** What is in a line, which an older protocol lets be several messages; undefined where it is none. The client checks the rest. */
function parseMessages(line: string): readonly JSONRPCMessage[] | undefined {
  const value: unknown = parseJson(line);
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const areMessages = messages.every((one) => isObject(one) && one["jsonrpc"] === "2.0");
  return areMessages ? (messages as readonly JSONRPCMessage[]) : undefined;
}
