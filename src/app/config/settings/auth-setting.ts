import { ToolError } from "../../../core/errors.ts";
import {
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { defined } from "../../../util/json/defined.ts";
import { BUILT_IN_ROLES, checkRole, rolesOf, type Roles } from "../access/roles.ts";
import { RIGHTS } from "../access/http-tokens.ts";
import { merge, parsed } from "./setting.ts";

/** Not those of the other settings, whose imports would be in the way of everything that needs this one. */
const address = (description: string) =>
  string(description, { pattern: "^https?://\\S+$", expected: "an http or https address" });
const texts = (description: string) => list(string(undefined, { min: 1 }), description);

const OIDC = object(
  {
    issuer: address("The issuer of the provider, as its discovery document names it"),
    clientId: string("The id that the provider gave this server", { min: 1 }),
    clientSecretVariable: optional(
      string("The environment variable, or stored key, that holds the secret; default: no secret", {
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        expected: "the name of an environment variable",
      }),
    ),
    clientSecretFile: optional(string("A file that holds the secret", { pattern: "^(/|~/)" })),
    scopes: optional(texts("What the login asks for; default: openid, profile, email")),
    nameClaim: optional(
      string("The claim that becomes the name of a person; default: preferred_username", { min: 1 }),
    ),
    groupsClaim: optional(string("The claim with the groups of a person; default: groups", { min: 1 })),
    roles: record(
      list(string(undefined, { min: 1 })),
      "The roles of each group; * stands for everybody who can log in at the provider. Others are refused",
    ),
    audience: optional(
      texts("Further audiences of access tokens for /mcp, for providers that do not know RFC 8707"),
    ),
    mcpScopes: optional(texts("Scopes that an access token for /mcp must have; default: none")),
    sessionHours: optional(
      number("How long a login at the console lasts at most; default: 12", { min: 0.1, max: 720 }),
    ),
  },
  "Login at an OpenID Connect provider",
);

/** How people log in at a provider. */
export type OidcSetting = Infer<typeof OIDC>;

const SCHEMA = object({
  roles: optional(
    record(
      list(oneOf(RIGHTS), "What people with this role may do", { min: 1 }),
      "Further roles of people, by name",
    ),
  ),
  url: optional(
    address(
      "The address at which people reach the server, such as https://tools.example.com, behind a proxy",
    ),
  ),
  oidc: optional(OIDC),
});

/** Who may use our HTTP servers, besides the owners of their tokens. */
export interface AuthSettings {
  readonly roles: Roles;
  /** The origin at which people reach the server; absent: the address that it listens on. */
  readonly url?: string;
  readonly oidc?: OidcSetting;
}

interface Written {
  readonly roles?: Roles | undefined;
  readonly url?: string | undefined;
  readonly oidc?: OidcSetting | undefined;
}

export const AUTH = parsed<AuthSettings, Written>({
  summary: "how people log in to the HTTP servers, and their further roles; see docs/people.md",
  fallback: { roles: {} },
  schema: SCHEMA,
  combine: (below, above) => ({ ...below, ...above, roles: merge(below.roles, above.roles) }),
  parse({ roles = {}, url, oidc }, place) {
    if (oidc !== undefined) checkOidc(oidc, `${place}.oidc`);
    for (const role of Object.values(oidc?.roles ?? {}).flat()) checkRole(role, rolesOf(roles));
    return {
      roles: checkRoles(roles, place),
      ...defined({
        url: url && originOf(url, `${place}.url`),
        // Behind a host alone a slash means nothing; behind a path it is part of the name, as Authentik has it.
        oidc: oidc && { ...oidc, issuer: oidc.issuer.replace(/^(https?:\/\/[^/]+)\/$/, "$1") },
      }),
    };
  },
});

/** Returns the roles. Throws if one of them has the name of a built-in role. */
function checkRoles(roles: Roles, place: string): Roles {
  const name = Object.keys(roles).find((one) => Object.hasOwn(BUILT_IN_ROLES, one));
  if (name === undefined) return roles;
  throw new ToolError("INVALID_INPUT", `${place}.roles: the role ${name} is built in and cannot be changed`, {
    hint: "choose another name",
  });
}

/** Returns the origin. Throws for an address with more than that. */
function originOf(url: string, place: string): string {
  const parsedUrl = URL.parse(url);
  if (parsedUrl !== null && `${parsedUrl.origin}/` === parsedUrl.href) return parsedUrl.origin;
  throw new ToolError("INVALID_INPUT", `${place}: expected scheme, host and port only, got ${url}`, {
    hint: "such as https://tools.example.com",
  });
}

const LOOPBACK = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?=[:/]|$)/;

/** Throws if tokens would be sent unencrypted, or if two places name the secret. */
function checkOidc({ issuer, clientSecretVariable, clientSecretFile }: OidcSetting, place: string) {
  if (!issuer.startsWith("https://") && !LOOPBACK.test(issuer))
    throw new ToolError("INVALID_INPUT", `${place}.issuer: expected an https address, got ${issuer}`, {
      hint: "without encryption everyone on the network can log in as everybody",
    });
  if (clientSecretVariable !== undefined && clientSecretFile !== undefined)
    throw new ToolError("INVALID_INPUT", `${place}: both clientSecretVariable and clientSecretFile are set`, {
      hint: "remove one of them",
    });
}
