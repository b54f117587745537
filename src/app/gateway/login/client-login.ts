import { ToolError } from "../../../core/errors.ts";
import { rolesOfPerson, type ServedPeople } from "../../host/people/host-people.ts";
import { identityOf, rolesOfGroups } from "../../host/people/identity.ts";
import type { Person } from "../../host/people/person.ts";
import type { ClientLogin, Credential } from "./login-types.ts";
import type { Refusal } from "./refusal.ts";
import type { Provider } from "./provider.ts";

/** What a program has open ends so long after its last token has expired: most get the next one only when the last is refused. */
const GRACE_MS = 300_000;

/** Creates the logins of programs, such as MCP clients. A person comes to be with their first one. */
export function createClientLogin(
  provider: Provider,
  served: Pick<ServedPeople, "people" | "oidc" | "roles">,
): ClientLogin {
  const { setting } = provider;
  const find = async (token: string, resources: readonly string[]): Promise<Credential | Refusal> => {
    const valid = await provider.check(token, [...resources, ...(setting.audience ?? [])]);
    const identity = valid && identityOf(valid.claims, setting);
    if (identity === undefined) return INVALID;
    const { scopes, client, expiresAt } = valid as NonNullable<typeof valid>;
    const missing = (setting.mcpScopes ?? []).filter((scope) => !scopes.includes(scope));
    if (missing.length > 0)
      return {
        status: 403,
        error: "insufficient_scope",
        reason: `the access token lacks the scope ${missing.join(" ")}`,
      };
    const person = await served.people.identify(
      identity,
      (groups) => rolesOfGroups(groups, setting).length > 0,
    );
    if (person === undefined || person.isDisabled || rolesOfPerson(person, served).length === 0)
      return { status: 403, reason: "you may not use this server: no role is yours" };
    return credentialOf({ person, client, openUntil: expiresAt + GRACE_MS }, served);
  };
  return {
    find: (token, resources) =>
      find(token, resources).catch((error: unknown) => {
        if (error instanceof ToolError) return { status: 503, reason: error.message } as const;
        throw error;
      }),
  };
}

const INVALID: Refusal = { status: 401, error: "invalid_token", reason: "the token is not valid here" };

interface Client {
  readonly person: Person;
  readonly client: string;
  readonly openUntil: number;
}

/** One for all tokens of a person's program: with the next one its sessions go on. */
function credentialOf(client: Client, served: Pick<ServedPeople, "people">): Credential {
  const { person, openUntil } = client;
  return {
    key: `client:${person.name}:${client.client}`,
    made: "",
    person,
    tools: null,
    async check() {
      const current = await served.people.get(person.name);
      const counts = current !== undefined && !current.isDisabled && openUntil > Date.now();
      return counts ? credentialOf({ ...client, person: current }, served) : undefined;
    },
  };
}
