import type { OidcSetting } from "../../config/settings/auth-setting.ts";

/** A person as their provider describes them. */
export interface Identity {
  readonly issuer: string;
  /** The id of the person at the provider, which never changes. */
  readonly subject: string;
  /** What they would like to be called. */
  readonly name: string;
  /** Undefined if the provider does not say. */
  readonly groups: readonly string[] | undefined;
  /** When the provider said so, in milliseconds since 1970. */
  readonly at: number;
}

type Claims = Readonly<Record<string, unknown>>;

/** Returns the person of checked claims; undefined without an id. */
export function identityOf(
  claims: Claims,
  { issuer, nameClaim = "preferred_username", groupsClaim = "groups" }: OidcSetting,
): Identity | undefined {
  const subject = claims["sub"];
  if (typeof subject !== "string" || subject === "") return undefined;
  // An address that nobody has confirmed could be that of another person.
  const email = claims["email_verified"] === true ? claims["email"] : undefined;
  const name = [claims[nameClaim], email, subject].find((one) => typeof one === "string" && one !== "");
  const issuedAt = claims["iat"];
  return {
    issuer,
    subject,
    name: String(name),
    groups: textsOf(claims[groupsClaim]),
    at: typeof issuedAt === "number" ? issuedAt * 1000 : Date.now(),
  };
}

/** Returns a list of texts, which some providers send as one text. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.split(/[ ,]+/).filter(Boolean);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

/** Returns the roles that a person has by their groups. */
export function rolesOfGroups(
  groups: readonly string[],
  { roles }: Pick<OidcSetting, "roles">,
): readonly string[] {
  const of = (group: string): readonly string[] => (Object.hasOwn(roles, group) ? (roles[group] ?? []) : []);
  // A group that is named * is no group of everybody.
  return [...new Set([...of("*"), ...groups.filter((group) => group !== "*").flatMap(of)])];
}
