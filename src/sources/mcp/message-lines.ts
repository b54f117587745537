import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject } from "../../core/json.ts";

/** Takes the output of a server as it comes, cut anywhere. */
export interface MessageLines {
  /** Throws where a line grows beyond the limit. */
  write(text: string): void;
}

export interface MessageLinesOptions {
  readonly maxCharacters: number;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Takes each line that is no message: servers print greetings, and what they should have logged. */
  readonly onNoise: (line: string) => void;
}

/** A line was longer than a message may be. */
export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** Reads messages, one a line. Never holds more of a line than it may have. */
export function messageLines({ maxCharacters, onMessage, onNoise }: MessageLinesOptions): MessageLines {
  let held: string[] = [];
  let heldCharacters = 0;
  const hold = (text: string): void => {
    heldCharacters += text.length;
    if (heldCharacters > maxCharacters)
      throw new LineTooLongError(`a message is longer than ${maxCharacters} characters`);
    if (text !== "") held.push(text);
  };
  const finish = (): void => {
    const line = held.join("");
    held = [];
    heldCharacters = 0;
    if (line.trim() === "") return;
    const messages = parseMessages(line);
    if (messages === undefined) onNoise(line);
    else for (const message of messages) onMessage(message);
  };
  return {
    write(text) {
      let from = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
        hold(text.slice(from, at));
        finish();
        from = at + 1;
      }
      hold(text.slice(from));
    },
  };
}

/** What is in a line, which an older protocol lets be several messages; undefined where it is none. The client checks the rest. */
function parseMessages(line: string): readonly JSONRPCMessage[] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
    const areMessages = messages.every((one) => isObject(one) && one["jsonrpc"] === "2.0");
    return areMessages ? (messages as readonly JSONRPCMessage[]) : undefined;
  } catch {
    return undefined;
  }
}
