import { list, object, string, type Infer } from "../../schema/define/schema.ts";
import { randomUUID } from "node:crypto";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { compileAllowedHosts, compileRestrictedHosts } from "../../util/text/host/host-pattern.ts";
import { addWithin, sessionCollection } from "../shared/collections.ts";
import type { RequestFilter } from "./filter/parse-filter.ts";
import { compileWildcard } from "./filter/wildcard.ts";
import type { ProxyOptions } from "./traffic/options.ts";

export const MAX_SCOPES = 100;
/** The maximum number of scopes of all sessions together. */
const MAX_OF_ALL = 5000;

/** A named choice of requests. */
export const scopeData = object({
  scope_id: string(),
  name: string(),
  // Patterns of what belongs to it; empty: everything.
  allowlist: list(string()),
  // Patterns of what does not, whatever the allowlist says.
  denylist: list(string()),
});

export type Scope = Infer<typeof scopeData>;

/** Returns the scopes of the call's session. */
export function scopesOf(context: ToolContext, options: ProxyOptions) {
  const collection = sessionCollection(context, options, { name: "scopes", limit: MAX_OF_ALL });
  return {
    async create(given: Omit<Scope, "scope_id">): Promise<Scope> {
      const scope = { scope_id: randomUUID().slice(0, 8), ...given };
      if (await addWithin(collection, scope.scope_id, scope, MAX_SCOPES)) return scope;
      throw new ToolError("TOOL_FAILED", `the limit of ${MAX_SCOPES} scopes is reached`, {
        hint: "delete one",
      });
    },
    /** Throws for an unknown id, like the others. */
    async update(id: string, change: Partial<Omit<Scope, "scope_id">>): Promise<Scope> {
      const updated = await collection.update(id, (scope) => {
        if (!isObject(scope)) throw unknownScope(id);
        return { ...scope, ...change };
      });
      return updated as Scope;
    },
    async get(id: string): Promise<Scope> {
      const scope = await collection.get(id);
      if (!isObject(scope)) throw unknownScope(id);
      return scope as Scope;
    },
    async delete(id: string): Promise<void> {
      if (!(await collection.delete(id))) throw unknownScope(id);
    },
    list: async (): Promise<readonly Scope[]> => (await collection.list()).map(({ value }) => value as Scope),
  };
}

function unknownScope(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `unknown scope ${JSON.stringify(id)}`, {
    hint: "scope_rules action=list shows the ids",
    details: { scope_id: id },
  });
}

/** Returns the filter of a scope. */
export function compileScope({ allowlist, denylist }: Scope): RequestFilter {
  const allows = allowlist.map((pattern) => compilePattern(pattern, compileAllowedHosts));
  const denies = denylist.map((pattern) => compilePattern(pattern, compileRestrictedHosts));
  return (request) =>
    (allows.length === 0 || allows.some((matches) => matches(request))) &&
    !denies.some((matches) => matches(request));
}

const PATTERN = /^(?:(\[[^\]]*\]|[^/:]+))(?::(\d+))?(\/.*)?$/;

/** Returns true for `example.com`, `*.example.com:8080` or `example.com/api/*`. */
export function isScopePattern(pattern: string): boolean {
  return PATTERN.test(pattern);
}

function compilePattern(pattern: string, compileHosts: typeof compileAllowedHosts): RequestFilter {
  const [, host = "", port, path] = PATTERN.exec(pattern) ?? [];
  const matchesHost = compileHosts([host]);
  const matchesPath = path === undefined ? () => true : compileWildcard(path, "*");
  return (request) =>
    matchesHost(request.host) &&
    (port === undefined || Number(port) === request.port) &&
    matchesPath(request.path);
}
