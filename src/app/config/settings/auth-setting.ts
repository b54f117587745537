import { ToolError } from "../../../core/errors.ts";
import { list, object, oneOf, optional, record } from "../../../schema/define/schema.ts";
import { BUILT_IN_ROLES, type Roles } from "../access/roles.ts";
import { RIGHTS } from "../access/http-tokens.ts";
import { merge, parsed } from "./setting.ts";

const SCHEMA = object({
  roles: optional(
    record(
      list(oneOf(RIGHTS), "What people with this role may do", { min: 1 }),
      "Further roles of people, by name",
    ),
  ),
});

/** Who may use our HTTP servers, besides the owners of their tokens. */
export interface AuthSettings {
  readonly roles: Roles;
}

export const AUTH = parsed<AuthSettings, { readonly roles?: Roles | undefined }>({
  summary: "further roles of the people who use the HTTP servers; see docs/people.md",
  fallback: { roles: {} },
  schema: SCHEMA,
  combine: (below, above) => ({ roles: merge(below.roles, above.roles) }),
  parse: ({ roles = {} }, place) => ({ roles: checkRoles(roles, place) }),
});

/** Returns the roles. Throws if one of them has the name of a built-in role. */
function checkRoles(roles: Roles, place: string): Roles {
  const name = Object.keys(roles).find((one) => Object.hasOwn(BUILT_IN_ROLES, one));
  if (name === undefined) return roles;
  throw new ToolError("INVALID_INPUT", `${place}.roles: the role ${name} is built in and cannot be changed`, {
    hint: "choose another name",
  });
}
