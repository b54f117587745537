import { createHash } from "node:crypto";
import type * as Jose from "jose";
import type * as OpenId from "openid-client";
import { isObject } from "../../../core/json.ts";

/** What a valid access token says. */
export interface AccessToken {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The program that the person uses. */
  readonly client: string;
  readonly scopes: readonly string[];
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

interface Parts {
  readonly client: typeof OpenId;
  readonly jose: typeof Jose;
  readonly config: OpenId.Configuration;
}

/** Signatures that only the provider can make: of a secret that is shared, or of none, nothing can be concluded. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const TYPES: ReadonlySet<string> = new Set(["jwt", "at+jwt", "application/at+jwt"]);
const TOLERANCE_SECONDS = 30;
/** How long the answer of the provider about a token that is no JWT counts. */
const ANSWER_MS = 30_000;
const MAX_ANSWERS = 1000;
/** The keys of the provider are read again for an unknown one at most this often. */
const KEYS_MS = 5000;

/** Returns a function that checks access tokens: by their signature, or by asking the provider if they have none. It rejects if the provider cannot be reached. */
export function createTokenCheck({ client, jose, config }: Parts) {
  const { issuer, jwks_uri: keysUrl, introspection_endpoint: endpoint } = config.serverMetadata();
  const keys =
    keysUrl === undefined
      ? undefined
      : jose.createRemoteJWKSet(new URL(keysUrl), { cooldownDuration: KEYS_MS, cacheMaxAge: 600_000 });
  const checkSigned = async (
    token: string,
    audiences: readonly string[],
  ): Promise<AccessToken | undefined> => {
    if (keys === undefined) return undefined;
    try {
      const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
        issuer,
        audience: [...audiences],
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ["exp", "sub"],
      });
      const type = protectedHeader.typ?.toLowerCase() ?? "jwt";
      // An ID token says who logged in at another program; it was not given to be sent here.
      return !TYPES.has(type) || "nonce" in payload ? undefined : toToken(payload);
    } catch (error) {
      if (isRefusal(error, jose)) return undefined;
      throw error;
    }
  };
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<Claims | undefined> }>();
  const ask = (token: string): Promise<Claims | undefined> => {
    const id = createHash("sha256").update(token).digest("base64url");
    const known = answers.get(id);
    if (known !== undefined && Date.now() - known.at < ANSWER_MS) return known.answer;
    const answer = client
      .tokenIntrospection(config, token)
      .then((claims) => (claims.active ? (claims as unknown as Claims) : undefined));
    answer.catch(() => answers.delete(id));
    answers.delete(id);
    answers.set(id, { at: Date.now(), answer });
    const [oldest] = answers.size > MAX_ANSWERS ? answers.keys() : [];
    if (oldest !== undefined) answers.delete(oldest);
    return answer;
  };
  const checkOpaque = async (
    token: string,
    audiences: readonly string[],
  ): Promise<AccessToken | undefined> => {
    const claims = endpoint === undefined ? undefined : await ask(token);
    if (claims === undefined) return undefined;
    const { iss = issuer, aud, exp, nbf } = claims;
    const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
    const isFor = audiences.some((one) => named.includes(one));
    const now = Date.now() / 1000;
    const isEarly = typeof nbf === "number" && nbf > now + TOLERANCE_SECONDS;
    const isOver = typeof exp !== "number" || exp <= now - TOLERANCE_SECONDS;
    return iss !== issuer || !isFor || isEarly || isOver ? undefined : toToken(claims);
  };
  return async (token: string, audiences: readonly string[]): Promise<AccessToken | undefined> =>
    isSigned(token, jose) ? checkSigned(token, audiences) : checkOpaque(token, audiences);
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns whether a text has the form of a JWT, whatever its algorithm: the provider is not asked about a text that anybody can write. */
function isSigned(token: string, jose: Parts["jose"]): boolean {
  try {
    return isObject(jose.decodeProtectedHeader(token));
  } catch {
    return false;
  }
}

/** Returns whether an error is about the token, not about reaching the provider. */
function isRefusal(error: unknown, { errors }: Parts["jose"]): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  return error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC";
}

function toToken(claims: Claims): AccessToken {
  const { exp, scope, scp, client_id: id, azp } = claims;
  const scopes = [scope, scp].flatMap((one) =>
    typeof one === "string" ? one.split(" ") : Array.isArray(one) ? one.map(String) : [],
  );
  const program = [id, azp].find((one) => typeof one === "string");
  return { claims, client: program ?? "", scopes, expiresAt: Number(exp) * 1000 };
}
