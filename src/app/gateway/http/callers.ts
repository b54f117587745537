import { createHmac } from "node:crypto";
import { isSameSecret } from "../../../system/same-secret.ts";
import type { TokenName } from "../../config/access/http-tokens.ts";
import { tokenCaller, type Caller } from "../../host/people/caller.ts";
import type { ServedPeople } from "../../host/people/host-people.ts";
import type { KnownToken } from "../../host/people/personal-tokens.ts";
import { createLiveCallers } from "../login/live-callers.ts";
import type { ClientLogin, ConsoleLogin, Credential } from "../login/login-types.ts";
import type { HttpTokens } from "./http-token.ts";
import type { Refusal } from "../login/refusal.ts";

/** Who may send requests to a server. */
export interface CallersOptions {
  readonly tokens: HttpTokens;
  /** The people of the store, and all roles; absent: only the tokens of the server count. */
  readonly people?: ServedPeople;
  /** Logins at the console; absent: there is no provider. */
  readonly console?: ConsoleLogin;
  /** Access tokens of the provider; absent: there is none. */
  readonly clients?: ClientLogin;
  /** How often tokens of people with open connections are checked; default: 400 ms. */
  readonly checkMs?: number;
}

/** A caller, and what the cookie of their browser has in place of the token. */
export interface FoundCaller {
  readonly caller: Caller;
  /** Stays valid when the server restarts; the token cannot be computed from it. Absent for a caller who is known by a cookie of another kind, or by none. */
  cookie?(name: string): string;
}

/** Finds callers by what their requests have. */
export type Callers = ReturnType<typeof createCallers>;

const CHECK_MS = 400;

/** Creates the callers of one server. Each request is checked against the store; those that are open end when their caller no longer counts. */
export function createCallers({ tokens, people, console, clients, checkMs = CHECK_MS }: CallersOptions) {
  const names = Object.keys(tokens) as readonly TokenName[];
  const cookieOf = (token: TokenName, name: string): string => sign(tokens[token], `console cookie ${name}`);
  const personCookie = ({ token: { id, hash: stored } }: KnownToken, name: string): string =>
    `${id}.${sign(tokens.admin, `console cookie ${name} ${id} ${stored}`)}`;
  const live = people && createLiveCallers(people, checkMs);
  const tokenFound = (token: TokenName): FoundCaller => ({
    caller: tokenCaller(token),
    cookie: (name) => cookieOf(token, name),
  });
  const foundPerson = (known: KnownToken): FoundCaller | undefined => {
    const caller = live?.callerOf(personalCredential(known, people));
    return caller && { caller, cookie: (name) => personCookie(known, name) };
  };
  const toFound = (credential: Credential | undefined): FoundCaller | undefined => {
    const caller = credential && live?.callerOf(credential);
    return caller && { caller };
  };
  return {
    /** Returns the caller with this token; undefined if no token that counts has this text. An access token counts for the resources that it was given for. */
    async byToken(
      text: string,
      resources: readonly string[] = [],
    ): Promise<FoundCaller | Refusal | undefined> {
      const token = names.find((name) => isSameSecret(text, tokens[name]));
      if (token !== undefined) return tokenFound(token);
      const known = await people?.people.find(text);
      if (known !== undefined) return foundPerson(known);
      if (text === "" || resources.length === 0) return undefined;
      const credential = await clients?.find(text, resources);
      return credential !== undefined && "status" in credential ? credential : toFound(credential);
    },
    /** Returns the caller whose browser sends this value in the cookie of this name. */
    async byCookie(name: string, value: string): Promise<FoundCaller | undefined> {
      const token = names.find((one) => isSameSecret(value, cookieOf(one, name)));
      if (token !== undefined) return tokenFound(token);
      const known = await people?.people.findById(value.split(".", 1)[0] ?? "");
      if (known !== undefined && isSameSecret(value, personCookie(known, name))) return foundPerson(known);
      return toFound(await console?.find(name, value));
    },
    close: (): void => live?.close(),
  };
}

/** Returns a personal token as what its requests are checked by. */
function personalCredential({ token, person }: KnownToken, people: ServedPeople | undefined): Credential {
  return {
    key: `token:${token.id}`,
    made: token.hash,
    person,
    tools: token.tools,
    async check() {
      const known = await people?.people.findById(token.id);
      return known && personalCredential(known, people);
    },
    noteUse: async () => people?.people.noteUse(token.id),
  };
}

function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
