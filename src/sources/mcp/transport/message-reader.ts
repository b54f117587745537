import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject } from "../../../core/json.ts";
import { createLineReader } from "../../../util/text/line-reader.ts";
import { parseJson } from "../../../util/json/parse-json.ts";

export interface MessageReaderOptions {
  readonly maxCharacters: number;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Receives each line that is not a message: servers print banners and log lines. */
  readonly onOther: (line: string) => void;
}

/** Thrown for a line that is longer than a message may be. */
export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** Reads messages, one per line, from the output of a server in chunks of any size. Throws if a line exceeds the limit. */
export function createMessageReader(options: MessageReaderOptions): (text: string) => void {
  const { maxCharacters, onMessage, onOther } = options;
  return createLineReader({
    maxCharacters,
    onTooLong() {
      throw new LineTooLongError(`a message is longer than ${maxCharacters} characters`);
    },
    onLine(line) {
      const messages = parseMessages(line);
      if (messages !== undefined) for (const message of messages) onMessage(message);
      else if (line.trim() !== "") onOther(line);
    },
  });
}

/** Returns the messages of a line (an older protocol allows batches), or undefined if it is not JSON-RPC. The SDK validates the rest. */
function parseMessages(line: string): readonly JSONRPCMessage[] | undefined {
  const value: unknown = parseJson(line);
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const areMessages = messages.every((one) => isObject(one) && one["jsonrpc"] === "2.0");
  return areMessages ? (messages as readonly JSONRPCMessage[]) : undefined;
}
