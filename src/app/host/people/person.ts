import {
  boolean,
  list,
  nullable,
  number,
  object,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";

/** A person as stored. Times are in milliseconds since 1970. */
export const PersonShape = object({
  /** Calls are recorded under it, so it stays the same and is never given to anybody else. */
  name: string(),
  roles: list(string()),
  groups: list(string()),
  /** True: none of their tokens counts. */
  isDisabled: boolean(),
  createdAt: number(),
  /** Null for a person who was not removed. */
  removedAt: nullable(number()),
  /** Absent for a person whom `toolwright user add` added. */
  identity: optional(
    object({
      issuer: string(),
      subject: string(),
      /** When the provider last named the groups. */
      at: number(),
    }),
  ),
});
export type Person = Infer<typeof PersonShape>;

/** A personal token as stored: without its text. */
export const TokenShape = object({
  id: string(),
  person: string(),
  /** SHA-256 of the secret part of its text. */
  hash: string(),
  createdAt: number(),
  /** Null: it does not expire. */
  expiresAt: nullable(number()),
  /** Names of the only tools that it may call, which may contain `*`; null: no limit of its own. */
  tools: nullable(list(string())),
  /** Null until it is used. */
  lastUsedAt: nullable(number()),
});
export type PersonalToken = Infer<typeof TokenShape>;
