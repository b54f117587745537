import type { JsonObject } from "../../../src/core/json.ts";

/** An answer to be streamed in a provider's format. */
export interface Streamed {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly StreamedCall[];
  /** The stop reason in the provider's words; default: its word for stop or calls. */
  readonly reason?: string;
}

export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text, valid or not. */
  readonly json: string;
}

/** The wire format of one provider. */
export interface Wire {
  /** The id of one of its models. */
  readonly id: string;
  readonly key: string | undefined;
  readonly path: string;
  stream(answer: Streamed): string;
  refusal(message: string, word: string): JsonObject;
}

/** Splits a text into deltas. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,5}/gsu) ?? [];
}

/** Writes server-sent events, with their names if `named`. */
export function events(
  list: readonly JsonObject[],
  { named = false }: { readonly named?: boolean } = {},
): string {
  return list
    .map(
      (data) =>
        `${named ? `event: ${JSON.stringify(data["type"]).slice(1, -1)}\n` : ""}data: ${JSON.stringify(data)}\n\n`,
    )
    .join("");
}
