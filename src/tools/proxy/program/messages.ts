import type { GuardOptions } from "../../../system/fetch/guard.ts";

/** The lines that the engine and the proxy program exchange, each one JSON value. */

/** The first line on standard input of the program; the end of the input ends the program. */
export interface ProxyStart {
  readonly guard: Omit<GuardOptions, "resolve">;
  /** What clients must send. */
  readonly password: string;
  /** Of the program that this one replaces, so that the clients of that one can go on. */
  readonly previous?: { readonly port: number; readonly authority: Authority };
}

/** A later line: the program answers with the same number when it has reported every exchange that has ended. */
export interface ProxyFlush {
  readonly flush: number;
}

/** The certificate that clients trust, and its key, both as PEM. The key is only ever in memory. */
export interface Authority {
  readonly cert: string;
  readonly key: string;
}

/** A line on standard output of the program. */
export type ProxyMessage =
  | { readonly ready: { readonly port: number; readonly authority: Authority; readonly spki: string } }
  | { readonly failed: { readonly message: string; readonly isMissing: boolean } }
  | { readonly exchange: CapturedExchange }
  | { readonly flushed: number };

/** Names and values in the order in which they were sent. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What is stored of a body: text after decompression, base64 of a short binary one, or only its size. */
export type CapturedBody = {
  /** As it was sent. */
  readonly bytes: number;
  readonly text?: string;
  readonly base64?: string;
  /** The text is only the beginning. */
  readonly isCut?: true;
};

/** One request with its response. */
// Types, not interfaces, so that they are assignable to JSON.
export type CapturedExchange = {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly method: string;
  readonly url: string;
  /** The HTTP version that the client used. */
  readonly version: string;
  readonly request: CapturedMessage;
  /** Null if none was received. */
  readonly response: (CapturedMessage & { readonly status: number; readonly reason: string }) | null;
  /** Why there is no response. */
  readonly error?: string;
};

export type CapturedMessage = { readonly headers: HeaderList; readonly body: CapturedBody };
