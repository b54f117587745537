import { createHash, randomBytes } from "node:crypto";
import type { Json } from "../../../core/json.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { isSameSecret } from "../../../system/same-secret.ts";
import { createDocumentReader } from "../../../schema/document-reader.ts";
import { TokenShape, type Person, type PersonalToken } from "./person.ts";

/** A personal token and whose it is. */
export interface KnownToken {
  readonly token: PersonalToken;
  readonly person: Person;
}

export interface TokenLimits {
  /** Milliseconds since 1970; null: it does not expire. */
  readonly expiresAt: number | null;
  /** Names of tools, which may contain `*`; null: all that the roles allow. */
  readonly tools: readonly string[] | null;
}

/** The tokens of people. */
export interface PersonalTokens {
  /** Returns the tokens of all people, oldest first. */
  tokens(): Promise<readonly PersonalToken[]>;
  /** Creates a token of a person. Its text is returned once and stored nowhere. */
  createToken(name: string, limits: TokenLimits): Promise<{ readonly id: string; readonly text: string }>;
  /** Returns true if there was one. */
  revokeToken(id: string): Promise<boolean>;
  /** Returns the token with this text if it counts now; undefined for one that is unknown, revoked or expired, and for one of a disabled person. */
  find(text: string): Promise<KnownToken | undefined>;
  /** Like `find`, by the id of a token. */
  findById(id: string): Promise<KnownToken | undefined>;
  /** Stores that a token was used just now. */
  noteUse(id: string): Promise<void>;
}

/** The people of the same store. */
interface TokenOwners {
  /** Returns undefined for an unknown name. */
  readonly get: (name: string) => Promise<Person | undefined>;
  /** Rejects for an unknown name. */
  readonly requirePerson: (name: string) => Promise<void>;
  readonly now: () => number;
}

/** The id of a token is no secret: it is listed, and a token is revoked by it. */
const TOKEN = /^twp_([0-9a-f]{16})_([\w-]{43})$/;

const readToken = createDocumentReader(TokenShape);

/** Opens the tokens of a store. */
export function openTokens(
  collections: Collections,
  { get, requirePerson, now }: TokenOwners,
): PersonalTokens {
  const tokens = collections.open("people-tokens");
  const findById: PersonalTokens["findById"] = async (id) => {
    const token = readToken(await tokens.get(id));
    if (token === undefined || (token.expiresAt !== null && token.expiresAt <= now())) return undefined;
    const person = await get(token.person);
    return person === undefined || person.isDisabled ? undefined : { token, person };
  };
  return {
    async tokens() {
      const all = (await tokens.list()).flatMap(({ value }) => readToken(value) ?? []);
      return all.toSorted((a, b) => a.createdAt - b.createdAt);
    },
    async createToken(name, { expiresAt, tools }) {
      await requirePerson(name);
      const [id, secret] = [randomBytes(8).toString("hex"), randomBytes(32).toString("base64url")];
      const hash = hashOf(secret);
      const token = { id, person: name, hash, createdAt: now(), expiresAt, tools, lastUsedAt: null };
      await tokens.set(id, toJson(token));
      return { id, text: `twp_${id}_${secret}` };
    },
    revokeToken: (id) => tokens.delete(id),
    async find(text) {
      const [, id, secret] = TOKEN.exec(text) ?? [];
      if (id === undefined || secret === undefined) return undefined;
      const known = await findById(id);
      return known !== undefined && isSameSecret(hashOf(secret), known.token.hash) ? known : undefined;
    },
    findById,
    async noteUse(id) {
      await tokens.update(id, (stored) => {
        const token = readToken(stored);
        return token === undefined ? stored : toJson({ ...token, lastUsedAt: now() });
      });
    },
  };
}

/** Returns a fast hash: the secret has 256 random bits, so that a slow one would make guessing no harder. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

function toJson(value: object): Json {
  return value as unknown as Json;
}
