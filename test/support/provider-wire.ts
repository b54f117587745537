import type { JsonObject } from "../../src/core/json.ts";

/** An answer that a provider shall stream in its own way. */
export interface Streamed {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly StreamedCall[];
  /** As the provider words it; by default it stopped, or calls. */
  readonly reason?: string;
}

export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text, broken or not. */
  readonly json: string;
}

/** One provider: how it is named and reached, what it streams, and what it says when it refuses. */
export interface Wire {
  /** A model of it. */
  readonly id: string;
  readonly key: string | undefined;
  readonly path: string;
  stream(answer: Streamed): string;
  refusal(message: string, word: string): JsonObject;
}

/** The parts of a text, as a model would give it. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,5}/gsu) ?? [];
}

/** A stream of events, each with its name before it where the provider does so. */
export function events(list: readonly JsonObject[], named = false): string {
  return list
    .map(
      (data) =>
        `${named ? `event: ${JSON.stringify(data["type"]).slice(1, -1)}\n` : ""}data: ${JSON.stringify(data)}\n\n`,
    )
    .join("");
}
