import { createHash } from "node:crypto";

/** The longest part of a subject; a longer one is replaced by its hash. */
const MAX_TOKEN = 120;
/** Parts of a key beyond this number are one part. */
const MAX_TOKENS = 12;

/** Returns a part of a subject for any well-formed text, a different one for each. */
export function toToken(text: string): string {
  // "%" alone and "%h" are never an encoded text.
  if (text === "") return "%";
  const encoded = encodeURIComponent(text).replaceAll(".", "%2E").replaceAll("*", "%2A");
  return encoded.length <= MAX_TOKEN ? encoded : `%h${createHash("sha256").update(text).digest("hex")}`;
}

/** Returns the parts of a key, split at slashes, so that a prefix up to a slash selects subjects. */
export function toTokens(key: string): readonly string[] {
  const parts = key.split("/");
  const [first, rest] = [parts.slice(0, MAX_TOKENS), parts.slice(MAX_TOKENS)];
  return [...first.map(toToken), ...(rest.length === 0 ? [] : [toToken(rest.join("/"))])];
}

/** Returns the filter for the subjects of all keys with this prefix; it may match others too. */
export function toFilter(collection: string, prefix: string): string {
  const whole = prefix.split("/").slice(0, -1).slice(0, MAX_TOKENS).map(toToken);
  return [collection, ...whole, ">"].join(".");
}
