import { defined } from "../../../util/json/defined.ts";
import type { Challenge, LoginState } from "../types/login-types.ts";
import { secretsOf } from "./stored-login.ts";
import { needsLogin } from "./needs-login.ts";
import { createRenewal, type RenewalOptions } from "./renewal.ts";

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** Gives a transport its access tokens and handles refusals. */
export type Bearer = ReturnType<typeof createBearer>;

/** A token that expires within this time is renewed before it is used. */
const SOON_MS = 10_000;

/**
 * Authenticates requests with the stored login of a server. Renews it silently, once for all concurrent calls; never opens a browser.
 */
export function createBearer(options: RenewalOptions) {
  const { name, stored, onSecret } = options;
  const renew = createRenewal(options);
  /** The token of each refused request: the stored one may be newer by then. */
  const usedFor = new WeakMap<Response, string>();
  const read = async (): Promise<LoginState> => {
    const state = await stored.read();
    for (const secret of secretsOf(state)) onSecret?.(secret);
    return state;
  };
  // A command may print a stored token before the server is used. A store that fails is reported then.
  read().catch(() => undefined);
  return {
    async token(): Promise<string | undefined> {
      const { login } = await read();
      if (login === undefined) return undefined;
      const { tokens, expiresAt = Number.POSITIVE_INFINITY } = login;
      if (tokens.refresh_token === undefined || expiresAt - SOON_MS > Date.now()) return tokens.access_token;
      // The old token may still be valid; if not, the refusal is reported.
      await renew(tokens.access_token).catch(() => undefined);
      return (await read()).login?.tokens.access_token;
    },
    /** Renews the refused token. Rejects with a `ToolError` if the user must log in. */
    async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
      const used = usedFor.get(response);
      const { login } = await read();
      const token = login?.tokens.access_token;
      if (token !== undefined && token !== used) return;
      if (token !== undefined && login?.tokens.refresh_token !== undefined) return renew(token);
      const challenge = await challengeOf(response, { isForbidden: false });
      await stored.update((state) => ({ ...state, challenge }));
      throw needsLogin(name, login === undefined ? "it needs a login" : "its login has expired");
    },
    /** Wraps a fetch to record which token a refused request carried and which scope the server wants. */
    watch:
      (fetch: Fetch): Fetch =>
      async (input, init) => {
        const response = await fetch(input, init);
        if (response.status !== 401 && response.status !== 403) return response;
        const [, token] = /^Bearer (.+)$/i.exec(new Headers(init?.headers).get("authorization") ?? "") ?? [];
        if (token !== undefined) usedFor.set(response, token);
        const challenge =
          response.status === 403 ? await challengeOf(response, { isForbidden: true }) : undefined;
        if (challenge?.isStepUp === true) await stored.update((state) => ({ ...state, challenge }));
        return response;
      },
  };
}

/** Reads what the WWW-Authenticate header of a refusal asks for. */
export async function challengeOf(
  response: Response,
  { isForbidden }: { readonly isForbidden: boolean },
): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
  const { scope, resourceMetadataUrl, error } = extractWWWAuthenticateParams(response);
  return {
    isStepUp: isForbidden && error === "insufficient_scope",
    ...defined({ scope, resourceMetadataUrl: resourceMetadataUrl?.href }),
  };
}
