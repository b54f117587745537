import { randomBytes } from "node:crypto";
import { ToolError } from "../../../core/errors.ts";
import type { ConsoleSessions, KnownSession } from "../../host/people/console-sessions.ts";
import { rolesOfPerson, type ServedPeople } from "../../host/people/host-people.ts";
import { rolesOfGroups } from "../../host/people/identity.ts";
import type { Person } from "../../host/people/person.ts";
import type { ConsoleLogin, Credential } from "./login-types.ts";
import type { LoginStart, Provider, ProviderLogin } from "./provider.ts";

/** So many browsers may be at the provider at once; the oldest must begin again. */
const MAX_STARTS = 1000;
const START_MS = 600_000;
/** When the provider is asked again if it could not be reached. */
const RETRY_MS = 30_000;
const SESSION_HOURS = 12;

type Login = Pick<ServedPeople, "people"> & { readonly sessions: ConsoleSessions };

/** Creates the logins of one server. */
export function createConsoleLogin(provider: Provider, login: Login): ConsoleLogin {
  const { setting } = provider;
  const { sessions } = login;
  const starts = new Map<string, LoginStart & { readonly browser: string; readonly at: number }>();
  return {
    find: createFinder(provider, login),
    async begin(redirectUri) {
      const { url, ...start } = await provider.begin(redirectUri);
      const browser = randomBytes(32).toString("base64url");
      starts.set(start.state, { ...start, browser, at: Date.now() });
      const [oldest] = starts.size > MAX_STARTS ? starts.keys() : [];
      if (oldest !== undefined) starts.delete(oldest);
      return { url: url.href, browser };
    },
    async finish(address, browser, cookie) {
      const state = address.searchParams.get("state") ?? "";
      const start = starts.get(state);
      if (start === undefined || start.browser !== browser || Date.now() - start.at > START_MS)
        throw new ToolError("DENIED", "this login was not begun by this browser, or is too old");
      starts.delete(state);
      const fresh = await provider.finish(address, start).catch((error: unknown) => {
        if (error instanceof ToolError) throw error;
        throw new ToolError("DENIED", "the provider did not log you in", { cause: error });
      });
      const person = await personOf(fresh, provider, login);
      if (person === undefined)
        throw new ToolError("DENIED", "you may not use this server: no role of it is yours");
      const seconds = Math.round((setting.sessionHours ?? SESSION_HOURS) * 3600);
      const session = { person: person.name, cookie, expiresAt: Date.now() + seconds * 1000 };
      return { value: await sessions.create(session, fresh), seconds };
    },
    async end(cookie, value, back) {
      const isSession = (await sessions.find(cookie, value)) !== undefined;
      await sessions.end(cookie, value);
      // Logged out here in any case.
      return (isSession ? (await provider.logoutUrl(back).catch(() => undefined))?.href : undefined) ?? "/";
    },
  };
}

/** Returns the person of a login; undefined for one who may not be here. */
async function personOf(
  { identity }: ProviderLogin,
  { setting }: Provider,
  { people }: Login,
): Promise<Person | undefined> {
  if (identity === undefined) return undefined;
  const person = await people.identify(identity, (groups) => rolesOfGroups(groups, setting).length > 0);
  if (person === undefined || person.isDisabled) return undefined;
  return rolesOfPerson(person, { oidc: setting }).length === 0 ? undefined : person;
}

/** Creates the function that finds the session of a cookie, and asks the provider again when it is time to. */
function createFinder(provider: Provider, login: Login) {
  const { sessions } = login;
  const renewing = new Map<string, Promise<KnownSession | undefined>>();
  const renew = async (
    session: KnownSession,
    cookie: string,
    value: string,
  ): Promise<KnownSession | undefined> => {
    const { refreshToken } = session;
    if (refreshToken === undefined) return session;
    try {
      const fresh = await provider.renew(refreshToken);
      if (fresh === undefined) {
        await sessions.end(cookie, value);
        return undefined;
      }
      await personOf(fresh, provider, login);
      await sessions.refreshed(cookie, value, fresh);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      await sessions.refreshed(cookie, value, { refreshToken, refreshAt: Date.now() + RETRY_MS });
    }
    return sessions.find(cookie, value);
  };
  const find = async (cookie: string, value: string): Promise<Credential | undefined> => {
    let session = await sessions.find(cookie, value);
    if (session !== undefined && session.refreshAt <= Date.now()) {
      const { id } = session;
      const current = renewing.get(id) ?? renew(session, cookie, value).finally(() => renewing.delete(id));
      renewing.set(id, current);
      session = await current;
    }
    if (session === undefined) return undefined;
    const { id, person } = session;
    return { key: `session:${id}`, made: id, person, tools: null, check: () => find(cookie, value) };
  };
  return find;
}
