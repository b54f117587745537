import { unknownName } from "../../../util/text/near-hint.ts";
import { RIGHTS, type Right } from "./http-tokens.ts";

/** Roles by name, with the rights of each. */
export type Roles = Readonly<Record<string, readonly Right[]>>;

/** The roles that every server has. A config may add others, and cannot change these. */
export const BUILT_IN_ROLES = {
  /** Reads the calls and settings of everyone. */
  viewer: ["read"],
  /** Calls tools, and reads their own calls. */
  caller: ["call", "own"],
  /** Reads everything, and approves. */
  approver: ["read", "approve"],
  /** Everything. */
  admin: RIGHTS,
} as const satisfies Roles;

export const DEFAULT_ROLE = "caller";

/** Returns all roles. */
export function rolesOf(configured: Roles): Roles {
  return { ...configured, ...BUILT_IN_ROLES };
}

/** Returns the rights that roles have together. A role that no longer exists has none. */
export function rightsOf(names: readonly string[], roles: Roles): readonly Right[] {
  return RIGHTS.filter((right) =>
    names.some((name) => Object.hasOwn(roles, name) && roles[name]?.includes(right)),
  );
}

/** Throws `INVALID_INPUT` for a role that does not exist. */
export function checkRole(name: string, roles: Roles): void {
  if (Object.hasOwn(roles, name)) return;
  const known = Object.keys(roles);
  throw unknownName(`unknown role ${JSON.stringify(name)}`, name, known, `expected ${known.join(", ")}`);
}
