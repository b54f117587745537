import { ToolError } from "../../../core/errors.ts";
import { visible } from "../../../util/text/visible.ts";
import { counted } from "../../../util/text/words.ts";
import { checkRole, DEFAULT_ROLE, rolesOf as allRoles, type Roles } from "../../config/access/roles.ts";
import type { OidcSetting } from "../../config/settings/auth-setting.ts";
import { requirePeopleStore, rolesOfPerson } from "../../host/people/host-people.ts";
import { openPeople, type People } from "../../host/people/people.ts";
import type { Person, PersonalToken } from "../../host/people/person.ts";
import { openConfiguredStore } from "../../host/store/open-configured-store.ts";
import { onlyArgument, refuseArguments, takeAction, textFlag } from "../../terminal/input/check-arguments.ts";
import { STORED_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { loadSettings } from "../../terminal/input/load-settings.ts";
import { alignRows, timeOf } from "../../terminal/print/align-rows.ts";

const ACTIONS = ["list", "add", "set", "disable", "enable", "remove", "token", "revoke"] as const;
type Action = (typeof ACTIONS)[number];

export const user: Command = {
  name: "user",
  summary: "manage the people who may use the HTTP servers, and their tokens",
  usage: `[list] [--json]
add NAME [--role ROLE …] [--group GROUP …] [--json]
set NAME [--role ROLE …] [--group GROUP …] [--json]
disable | enable | remove NAME [--json]
token NAME [--expires TIME] [--tools NAMES] [--json]
revoke TOKEN-ID [--json]`,
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    role: {
      summary: `viewer, caller, approver, admin, or one of the setting auth.roles (default of a new person: ${DEFAULT_ROLE})`,
      value: "ROLE",
      isRepeatable: true,
      for: ["add", "set"],
    },
    group: {
      summary: "a group of the person, which rules can name",
      value: "GROUP",
      isRepeatable: true,
      for: ["add", "set"],
    },
    expires: {
      summary: "token: how long it counts, such as 12h, 30d or 26w (default: until it is revoked)",
      value: "TIME",
      for: ["token"],
    },
    tools: {
      summary: "token: it may call only these tools: comma-separated names; * matches any characters",
      value: "NAMES",
      for: ["token"],
    },
    json: { summary: "print what was found or done as JSON" },
    ...STORED_FLAGS,
  },
  examples: {
    user: "list the people, their roles and their tokens with the last use of each",
    "user add alice --role caller --role approver": "add a person who calls tools and approves",
    "user token alice --expires 30d": "create a token and print it, once",
    "user token ci --tools 'read_*,grep'": "create a token that may call only these tools",
    "user revoke 0c1d2e3f4a5b6c7d": "revoke a token, by its id in the list",
    "user disable alice": "end everything that this person does, at once; enable reverses it",
  },
  async run(given, world) {
    const config = loadSettings(given.flags, world);
    const { action, rest } = takeAction(user, given, ACTIONS, "list");
    requirePeopleStore(config);
    if (action === "list") refuseArguments(rest);
    const what = action === "revoke" ? "token id" : "name";
    const subject = action === "list" ? "" : onlyArgument(rest, `${what}: toolwright user ${action} …`);
    await using store = await openConfiguredStore(config, world.output.warn);
    const request = {
      people: openPeople(store.collections),
      roles: allRoles(config.auth.roles),
      oidc: config.auth.oidc,
      given,
      world,
    };
    await RUN[action](request, subject);
  },
};

interface Request {
  readonly people: People;
  readonly roles: Roles;
  readonly oidc: OidcSetting | undefined;
  readonly given: Arguments;
  readonly world: World;
}

/** What each action does with a name, or with the id of a token. */
const RUN: Readonly<Record<Action, (request: Request, subject: string) => Promise<void>>> = {
  async list(request) {
    const [people, tokens] = await Promise.all([request.people.list(), request.people.tokens()]);
    const withTokens = people.map((person) => ({
      ...person,
      tokens: tokens.filter((token) => token.person === person.name).map(publicToken),
    }));
    const empty = "no people yet; toolwright user add NAME adds one\n";
    const text = people.length === 0 ? empty : withTokens.map((one) => describePerson(request, one)).join("");
    await print(request, withTokens, text);
  },
  async add(request, name) {
    const { roles = [DEFAULT_ROLE], groups = [] } = chosen(request);
    const person = await request.people.add({ name, roles, groups });
    await print(
      request,
      person,
      `added ${name} as ${roles.join(", ")}\ntoolwright user token ${name} creates a token\n`,
    );
  },
  async set(request, name) {
    const { roles, groups } = chosen(request);
    if (roles === undefined && groups === undefined)
      throw new ToolError("INVALID_INPUT", "nothing to set: expected --role or --group");
    const change = { ...(roles !== undefined && { roles }), ...(groups !== undefined && { groups }) };
    const before = await request.people.get(name);
    if (groups !== undefined && before?.identity !== undefined)
      throw new ToolError("INVALID_INPUT", `the groups of ${name} are those of ${before.identity.issuer}`, {
        hint: "change them there; --role gives further roles here",
      });
    const person = await request.people.change(name, change);
    const hasChanged = JSON.stringify(before) !== JSON.stringify(person);
    const after = hasChanged ? `; what ran for ${name} has ended` : ": nothing has changed";
    await print(request, person, `${name} is now ${rolesOf(request, person)}${inGroups(person)}${after}\n`);
  },
  async disable(request, name) {
    const person = await request.people.change(name, { isDisabled: true });
    await print(request, person, `disabled ${name}: no token of ${name} counts any more\n`);
  },
  async enable(request, name) {
    const person = await request.people.change(name, { isDisabled: false });
    await print(request, person, `enabled ${name}\n`);
  },
  async remove(request, name) {
    await request.people.remove(name);
    await print(
      request,
      { removed: name },
      `removed ${name} with all tokens; recorded calls keep the name, and no other person can get it\n`,
    );
  },
  async token(request, name) {
    const limits = { expiresAt: expiryOf(request.given), tools: toolsOf(request.given) };
    const { id, text } = await request.people.createToken(name, limits);
    request.world.output.log(`toolwright: token ${id} of ${name}; it is shown only now`);
    await print(request, { id, person: name, token: text, ...limits }, `${text}\n`);
  },
  async revoke(request, id) {
    if (!(await request.people.revokeToken(id)))
      throw new ToolError("INVALID_INPUT", `no token has the id ${JSON.stringify(id)}`, {
        hint: "toolwright user list shows the ids",
      });
    await print(request, { revoked: id }, `revoked token ${id}\n`);
  },
};

/** Returns the roles and groups of the flags; undefined for those that no flag names. */
function chosen({ given, roles: known }: Request) {
  const { role: roles, group: groups } = given.repeated ?? {};
  for (const role of roles ?? []) checkRole(role, known);
  return { roles: roles && [...new Set(roles)], groups: groups && [...new Set(groups)] };
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** Returns when a new token expires, in milliseconds since 1970; null without the flag. */
function expiryOf(given: Arguments): number | null {
  const text = textFlag(given, "expires");
  if (text === undefined) return null;
  const [, count, unit] = /^(\d{1,4})([mhdw])$/.exec(text) ?? [];
  const ms = Number(count) * UNIT_MS[(unit ?? "m") as keyof typeof UNIT_MS];
  if (ms > 0) return Date.now() + ms;
  throw new ToolError("INVALID_INPUT", `invalid value ${JSON.stringify(text)} for --expires`, {
    hint: "expected a number and m, h, d or w, such as 12h or 30d",
  });
}

function toolsOf(given: Arguments): readonly string[] | null {
  const text = textFlag(given, "tools");
  if (text === undefined) return null;
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => /^[\w*-]+$/.test(name))) return names;
  throw new ToolError("INVALID_INPUT", `invalid value ${JSON.stringify(text)} for --tools`, {
    hint: "expected names of tools with commas between them, such as read_*,grep",
  });
}

/** Returns a token as it is listed: its hash is no use to anybody. */
function publicToken({ hash: _hash, person: _person, ...token }: PersonalToken) {
  return token;
}

type ListedPerson = Person & { readonly tokens: readonly ReturnType<typeof publicToken>[] };

function describePerson(request: Request, { tokens, ...person }: ListedPerson): string {
  const state = person.isDisabled ? ", disabled" : "";
  const { identity } = person;
  const login =
    identity === undefined
      ? ""
      : `, logs in at ${visible(identity.issuer)} as ${visible(identity.subject)}, last ${timeOf(identity.at)}`;
  const head = `${person.name}  ${rolesOf(request, person)}${inGroups(person)}${login}${state}\n`;
  if (tokens.length === 0) return `${head}  no token\n`;
  return head + alignRows(tokens.map(tokenRow)).replaceAll(/^/gm, "  ").trimEnd() + "\n";
}

function tokenRow({ id, createdAt, expiresAt, lastUsedAt, tools }: ListedPerson["tokens"][number]) {
  return [
    id,
    `created ${timeOf(createdAt)}`,
    lastUsedAt === null ? "never used" : `last used ${timeOf(lastUsedAt)}`,
    expiresAt === null ? "does not expire" : expiryText(expiresAt),
    tools === null ? "all tools" : tools.join(","),
  ];
}

function expiryText(expiresAt: number): string {
  return `${expiresAt <= Date.now() ? "expired" : "expires"} ${timeOf(expiresAt)}`;
}

/** Returns the roles of a person, for people. */
function rolesOf({ oidc }: Request, person: Person): string {
  return rolesOfPerson(person, { oidc }).join(", ") || "no role";
}

function inGroups({ groups }: Pick<Person, "groups">): string {
  return groups.length === 0
    ? ""
    : `, in ${counted(groups.length, "group")}: ${groups.map((group) => visible(group)).join(", ")}`;
}

async function print({ given, world }: Request, value: object, text: string): Promise<void> {
  await world.output.print(given.flags["json"] === true ? `${JSON.stringify(value)}\n` : text);
}
