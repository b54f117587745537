import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { Json } from "../../../core/json.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { createDocumentReader } from "../../../schema/document-reader.ts";
import { nullable, number, object, string, type Infer } from "../../../schema/define/schema.ts";
import { isSameSecret } from "../../../system/same-secret.ts";
import type { Person } from "./person.ts";

const SessionShape = object({
  id: string(),
  person: string(),
  /** The cookie that it counts in: each server of a machine has its own. */
  cookie: string(),
  /** SHA-256 of the secret part of the cookie. */
  hash: string(),
  expiresAt: number(),
  /** The refresh token, encrypted with the secret part of the cookie, which is stored nowhere; null if there is none. */
  refreshToken: nullable(string()),
  /** When the provider is asked again whether the person may be here. */
  refreshAt: number(),
});
type StoredSession = Infer<typeof SessionShape>;

/** A login of a person at the console. */
export interface KnownSession {
  readonly id: string;
  readonly person: Person;
  readonly refreshAt: number;
  /** Undefined if the provider gave none. */
  readonly refreshToken: string | undefined;
}

/** What a session begins with, and has after the provider was asked again. */
export interface SessionTokens {
  readonly refreshToken: string | undefined;
  readonly refreshAt: number;
}

/** The logins of people at the console. They are in the store, so that they end at every process. */
export type ConsoleSessions = ReturnType<typeof openSessions>;

/** So many; the oldest are forgotten first. */
const MAX_SESSIONS = 10_000;
const VALUE = /^tws_([0-9a-f]{16})_([\w-]{43})$/;
const readSession = createDocumentReader(SessionShape);

/** Opens the sessions of a store. */
export function openSessions(
  collections: Collections,
  people: { get(name: string): Promise<Person | undefined> },
  now: () => number = Date.now,
) {
  const sessions = collections.open("people-sessions", { limit: MAX_SESSIONS });
  const valid = async (
    cookie: string,
    value: string,
  ): Promise<readonly [StoredSession, string] | undefined> => {
    const [, id = "", secret = ""] = VALUE.exec(value) ?? [];
    const session = id === "" ? undefined : readSession(await sessions.get(id));
    if (session === undefined || session.cookie !== cookie || session.expiresAt <= now()) return undefined;
    return isSameSecret(hashOf(secret), session.hash) ? [session, secret] : undefined;
  };
  return {
    /** Begins a session and returns the value of its cookie. */
    async create(
      { person, cookie, expiresAt }: Pick<StoredSession, "person" | "cookie" | "expiresAt">,
      { refreshToken, refreshAt }: SessionTokens,
    ): Promise<string> {
      const [id, secret] = [randomBytes(8).toString("hex"), randomBytes(32).toString("base64url")];
      const session: StoredSession = {
        id,
        person,
        cookie,
        hash: hashOf(secret),
        expiresAt,
        refreshAt,
        refreshToken: refreshToken === undefined ? null : encrypt(refreshToken, secret),
      };
      await sessions.set(id, toJson(session));
      return `tws_${id}_${secret}`;
    },
    /** Returns the session with this cookie if it counts now. */
    async find(cookie: string, value: string): Promise<KnownSession | undefined> {
      const [session, secret = ""] = (await valid(cookie, value)) ?? [];
      const person = session && (await people.get(session.person));
      if (session === undefined || person === undefined || person.isDisabled) return undefined;
      const { id, refreshAt, refreshToken: stored } = session;
      return { id, person, refreshAt, refreshToken: stored === null ? undefined : decrypt(stored, secret) };
    },
    /** Stores the tokens that took the place of earlier ones. */
    async refreshed(
      cookie: string,
      value: string,
      { refreshToken, refreshAt }: SessionTokens,
    ): Promise<void> {
      const [session, secret = ""] = (await valid(cookie, value)) ?? [];
      if (session === undefined) return;
      await sessions.update(session.id, (stored) => {
        const current = readSession(stored);
        const token = refreshToken === undefined ? null : encrypt(refreshToken, secret);
        return current === undefined ? stored : toJson({ ...current, refreshAt, refreshToken: token });
      });
    },
    /** Ends a session. */
    async end(cookie: string, value: string): Promise<void> {
      const [session] = (await valid(cookie, value)) ?? [];
      if (session !== undefined) await sessions.delete(session.id);
    },
  };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "refresh token", 32));
}

function encrypt(text: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Returns undefined for a text that was not encrypted with this secret. */
function decrypt(sealed: string, secret: string): string | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const [nonce, rest] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)];
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), nonce);
    decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
    return Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function toJson(value: object): Json {
  return value as unknown as Json;
}
