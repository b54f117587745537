import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { ArtifactsKey, type ArtifactWriter } from "../../core/store/artifacts.ts";
import { takeUntilAborted } from "../../util/async/take-until-aborted.ts";
import { howToRead } from "./truncate.ts";
import { now } from "../call/call-state.ts";

/** Limits the part of a streamed answer in memory; the rest of a text goes to an artifact. */
const MAX_HELD_CHARACTERS = 4 * 1024 * 1024;
const MAX_HELD_ITEMS = 100_000;
/** Limits the whole of a streamed text, which may be stored in memory. */
const MAX_CHARACTERS = 256_000_000;
const MAX_BUSY_MS = 10;

/**
 * Reads an async iterable to its end. Each item is progress; the answer is the joined text or the list of items.
 * Uses bounded memory, and calls `return()` of the iterable when the call ends.
 */
export async function collect(items: AsyncIterable<unknown>, context: ToolContext): Promise<unknown> {
  const { signal } = context;
  const collection = createCollection(context);
  try {
    let pausedAt = now();
    for await (const item of takeUntilAborted(() => items, signal)) {
      signal.throwIfAborted();
      await collection.add(item);
      if (now() - pausedAt < MAX_BUSY_MS) continue;
      // An iterable that never waits would keep the event loop, and with it the deadline and the caller, from running.
      await new Promise((resolve) => setImmediate(resolve));
      pausedAt = now();
    }
    signal.throwIfAborted();
    return await collection.result();
  } finally {
    collection.close();
  }
}

function tooMuch(limit: string, hint: string): ToolError {
  return new ToolError("INVALID_OUTPUT", `the tool returned more than ${limit}`, { hint });
}

interface Collection {
  add(item: unknown): Promise<void>;
  result(): Promise<unknown>;
  /** Closes the artifact, whether or not the result was used. */
  close(): void;
}

function createCollection(context: ToolContext): Collection {
  const items: unknown[] = [];
  let text = "";
  let characters = 0;
  let isText = true;
  let writer: ArtifactWriter | undefined;

  const addText = async (item: string): Promise<void> => {
    context.emit({ stream: "stdout", text: item });
    characters += item.length;
    if (characters > MAX_CHARACTERS)
      throw tooMuch("256 million characters", "return less text, or write it to a file");
    if (writer === undefined && text.length + item.length <= MAX_HELD_CHARACTERS) {
      text += item;
      return;
    }
    if (writer === undefined) {
      writer = context.find(ArtifactsKey)?.create();
      await writer?.write(text);
    }
    await writer?.write(item);
  };

  /** Returns the text as the first item of a list, with a notice if it is not complete. */
  const textSoFar = async (): Promise<string> => {
    const stored = await writer?.close().catch(() => undefined);
    writer = undefined;
    if (characters <= text.length) return text;
    return `${text}\n[truncated: the first ${text.length} of ${characters} characters; ${howToRead(stored?.id)}]`;
  };

  return {
    async add(item) {
      const wasText = isText;
      isText &&= typeof item === "string";
      if (isText) return addText(item as string);
      if (wasText && text !== "") items.push(await textSoFar());
      text = "";
      context.emit({ data: item as never });
      if (items.length >= MAX_HELD_ITEMS)
        throw tooMuch(`${MAX_HELD_ITEMS} items`, "return fewer, larger items, or text");
      items.push(item);
      return undefined;
    },
    async result() {
      if (!isText) return items;
      // The answer is returned even if the artifact cannot be stored.
      const stored = await writer?.close().catch(() => undefined);
      if (characters <= text.length) return text;
      const artifact = stored === undefined ? {} : { artifactId: stored.id };
      return new Reply(text, { truncated: { shape: "text", total: characters, ...artifact } });
    },
    close: () => void writer?.close().catch(() => undefined),
  };
}
