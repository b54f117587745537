import { createHmac } from "node:crypto";
import { isSameSecret } from "../../../system/same-secret.ts";
import type { TokenName } from "../../config/access/http-tokens.ts";
import { tokenCaller, type Caller } from "../../host/people/caller.ts";
import type { ServedPeople } from "../../host/people/host-people.ts";
import type { KnownToken } from "../../host/people/personal-tokens.ts";
import { rightsOf, type Roles } from "../../config/access/roles.ts";
import type { HttpTokens } from "./http-token.ts";

/** Who may send requests to a server. */
export interface CallersOptions {
  readonly tokens: HttpTokens;
  /** The people of the store, and all roles; absent: only the tokens of the server count. */
  readonly people?: ServedPeople;
  /** How often tokens of people with open connections are checked; default: 400 ms. */
  readonly checkMs?: number;
}

/** A caller, and what the cookie of their browser has in place of the token. */
export interface FoundCaller {
  readonly caller: Caller;
  /** Stays valid when the server restarts; the token cannot be computed from it. */
  cookie(name: string): string;
}

/** Finds callers by what their requests have. */
export type Callers = ReturnType<typeof createCallers>;

/** Creates the callers of one server. Each request is checked against the store; those that are open end when their caller no longer counts. */
export function createCallers({ tokens, people, checkMs = CHECK_MS }: CallersOptions) {
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
    const caller = live?.callerOf(known);
    return caller && { caller, cookie: (name) => personCookie(known, name) };
  };
  return {
    /** Returns the caller with this token; undefined if no token that counts has this text. */
    async byToken(text: string): Promise<FoundCaller | undefined> {
      const token = names.find((name) => isSameSecret(text, tokens[name]));
      if (token !== undefined) return tokenFound(token);
      const known = await people?.people.find(text);
      return known && foundPerson(known);
    },
    /** Returns the caller whose browser sends this value in the cookie of this name. */
    async byCookie(name: string, value: string): Promise<FoundCaller | undefined> {
      const token = names.find((one) => isSameSecret(value, cookieOf(one, name)));
      if (token !== undefined) return tokenFound(token);
      const known = await people?.people.findById(value.split(".", 1)[0] ?? "");
      return known !== undefined && isSameSecret(value, personCookie(known, name))
        ? foundPerson(known)
        : undefined;
    },
    close: (): void => live?.close(),
  };
}

const CHECK_MS = 400;
/** The last use of a token is stored at most this often. */
const NOTE_MS = 60_000;

/** A person's token that was used here. */
interface Live {
  readonly caller: Caller;
  readonly ending: AbortController;
  /** What the caller was made from: any change of it ends the caller. */
  readonly made: string;
  notedAt: number;
}

/** Creates callers for people, and ends each within a moment after the token or the person changed. */
function createLiveCallers({ people, roles }: ServedPeople, checkMs: number) {
  const live = new Map<string, Live>();
  const end = (id: string): void => {
    live.get(id)?.ending.abort();
    live.delete(id);
  };
  const check = async (): Promise<void> => {
    for (const [id, one] of live) {
      // A store that cannot be read says nothing of who may do what.
      const known = await people.findById(id).catch(() => undefined);
      // A request of meanwhile may have replaced the caller.
      const isCurrent = live.get(id) === one;
      if (isCurrent && (known === undefined || originOf(known) !== one.made)) end(id);
    }
  };
  let isChecking = false;
  const checkOnce = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    await check();
    isChecking = false;
  };
  const timer = setInterval(() => void checkOnce(), checkMs).unref();
  return {
    callerOf(known: KnownToken): Caller {
      const { token } = known;
      const made = originOf(known);
      if (live.get(token.id)?.made !== made) end(token.id);
      let one = live.get(token.id);
      if (one === undefined) {
        const ending = new AbortController();
        one = { caller: toCaller(known, roles, ending.signal), ending, made, notedAt: 0 };
        live.set(token.id, one);
      }
      if (Date.now() - one.notedAt > NOTE_MS) {
        one.notedAt = Date.now();
        // Only a note: the request does not depend on it.
        void people.noteUse(token.id).catch(() => undefined);
      }
      return one.caller;
    },
    close(): void {
      clearInterval(timer);
      for (const id of live.keys()) end(id);
    },
  };
}

function toCaller({ token: { tools }, person }: KnownToken, roles: Roles, ended: AbortSignal): Caller {
  const { name, groups } = person;
  return {
    name,
    subject: { id: name, groups, roles: person.roles },
    rights: rightsOf(person.roles, roles),
    ceilings: tools === null ? [] : [{ tools }],
    ended,
  };
}

function originOf({ token: { hash: stored, tools }, person: { name, roles, groups } }: KnownToken): string {
  return JSON.stringify([stored, tools, name, roles, groups]);
}

function sign(key: string, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
