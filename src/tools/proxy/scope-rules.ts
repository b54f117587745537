import { Reply } from "../../core/content.ts";
import type { Problem } from "../../core/result.ts";
import type { Tool } from "../../core/tool.ts";
import { list, object, oneOf, optional, string, type Infer } from "../../schema/define/schema.ts";
import { defined } from "../../util/json/defined.ts";
import { builtIn, missingProblem, valueProblem, namedAs } from "../shared/built-in-tool.ts";
import { READS_TRAFFIC } from "./definition.ts";
import type { ProxyOptions } from "./traffic/options.ts";
import { isScopePattern, MAX_SCOPES, scopeData, scopesOf, type Scope } from "./scopes.ts";

const MAX_PATTERNS = 100;
const patterns = (what: string) =>
  list(
    string("A pattern", { min: 1, max: 300 }),
    `${what}: example.com, *.example.com:8080 or example.com/api/*`,
    {
      max: MAX_PATTERNS,
    },
  );

const input = object({
  action: oneOf(["list", "get", "create", "update", "delete"], "What to do"),
  allowlist: optional(patterns("Requests that belong to the scope; default: all")),
  denylist: optional(patterns("Requests that do not, even if allowed")),
  scope_id: optional(string("The scope, for get, update and delete", { min: 1 })),
  scope_name: optional(string("Its name, for create and update", { min: 1, max: 100 })),
});

export const SCOPE_RULES = namedAs(
  "scope_rules",
  input,
  oneOf([object({ scopes: list(scopeData) }), scopeData, object({ scope_id: string() })]),
);

/** Defines which requests the other tools look at. */
export function scopeRules(options: ProxyOptions): Tool {
  return builtIn({
    ...SCOPE_RULES,
    description:
      "Defines scopes: choices of requests by host, port and path, for scope_id of list_requests and list_sitemap. Scopes do not change what is captured. " +
      `Up to ${MAX_SCOPES} in a session.`,
    ...READS_TRAFFIC,
    isUntrusted: false,
    check: problemsOf,
    attributes: ({ action }) => ({ action }),
    async run({ action, allowlist, denylist, scope_id = "", scope_name: name = "" }, context) {
      const scopes = scopesOf(context, options);
      if (action === "list") {
        const all = await scopes.list();
        const text = all.length === 0 ? "[no scope is defined]" : all.map(describe).join("\n");
        return new Reply(text, { data: { scopes: all } });
      }
      if (action === "delete") {
        await scopes.delete(scope_id);
        return new Reply(`Deleted scope ${scope_id}`, { data: { scope_id } });
      }
      const scope =
        action === "get"
          ? await scopes.get(scope_id)
          : action === "create"
            ? await scopes.create({ name, allowlist: allowlist ?? [], denylist: denylist ?? [] })
            : await scopes.update(scope_id, defined({ allowlist, denylist, name: name || undefined }));
      return new Reply(describe(scope), { data: scope });
    },
  });
}

function problemsOf(given: Infer<typeof input>): readonly Problem[] {
  const { action, allowlist = [], denylist = [], scope_id, scope_name } = given;
  const expected = "a host, then :PORT and /PATH if wanted";
  const wrong = (name: string, patterns: readonly string[]): readonly Problem[] =>
    patterns.flatMap((pattern, index) =>
      isScopePattern(pattern) ? [] : valueProblem(`/${name}/${index}`, expected, JSON.stringify(pattern)),
    );
  return [
    ...(["get", "update", "delete"].includes(action) ? missingProblem("scope_id", scope_id, action) : []),
    ...(action === "create" ? missingProblem("scope_name", scope_name, action) : []),
    ...wrong("allowlist", allowlist),
    ...wrong("denylist", denylist),
  ];
}

function describe({ scope_id, name, allowlist, denylist }: Scope): string {
  const denied = denylist.length === 0 ? "" : `, without ${denylist.join(", ")}`;
  return `${scope_id} ${name}: ${allowlist.length === 0 ? "everything" : allowlist.join(", ")}${denied}`;
}
