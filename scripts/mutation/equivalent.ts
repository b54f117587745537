// The mutants that no test can notice, because they change no decision, with the reason. `npm run mutate` does not count them.

/** The code that is mutated, its beginning if it ends with `…`; what replaces it, or `*` for anything; and why the result is the same. */
type Equivalent = readonly [code: string, replacement: string, because: string];

const CACHE = "a cache: without it the same is computed again";
const SHORTCUT = "a shortcut: the long way decides the same";
const ONLY_FOR_MATCHING = "a view that is made only to be matched: nothing reads its kind and access";
const TYPE_ONLY = "the type has undefined, the value never has";

const EQUIVALENT: Readonly<Record<string, readonly Equivalent[]>> = {
  "src/policy/layers/ceilings.ts": [
    ["compiled.set(ceiling, found);", "*", CACHE],
    ["ofSessions.set(rules, found);", "*", CACHE],
    ["ceilings.length === 0", "*", CACHE],
    ["found?.ceilings.length === ceilings.length &&…", "*", CACHE],
    ["({ source }, index) => source === ceilings[index]", "*", CACHE],
    ["source === ceilings[index]", "*", CACHE],
    ["found !== undefined && isSame", "*", CACHE],
    ["found !== undefined", "*", CACHE],
    ["scopes.set(ceilings, created);", "*", CACHE],
  ],
  "src/policy/layers/hiding.ts": [
    ['"path"', '""', ONLY_FOR_MATCHING],
    ["paths?.matches", "paths.matches", TYPE_ONLY],
    ["hosts?.(host)", "hosts(host)", TYPE_ONLY],
  ],
  "src/policy/layers/limits.ts": [
    ["known.set(grant, found);", "*", CACHE],
    ["grants.length === 0", "false", SHORTCUT],
    ["[]", '["Stryker was here"]', "NO_GRANTS has no rules; a text is none"],
  ],
  "src/policy/layers/modes.ts": [
    ["[]", '["Stryker was here"]', "no mode has this name"],
    ['""', '"Stryker was here!"', "the verdict of a mode that allows does not name the tool"],
  ],
  "src/policy/layers/rule-set.ts": [
    ["rules.length === 0", "false", SHORTCUT],
    ["found !== undefined", "false", CACHE],
    ["known.set(tool, own);", "*", CACHE],
    ["known.set(only, found);", "*", CACHE],
    ["[]", '["Stryker was here"]', "no program and no rule has this name"],
    ['""', '"Stryker was here!"', "no program has this name"],
    ["programs.length > 1", "*", SHORTCUT],
    ["!named.has(only)", "false", SHORTCUT],
  ],
  "src/policy/protect/find-protected-read.ts": [
    ["allows.length === 0", "false", SHORTCUT],
    ['"path"', '""', ONLY_FOR_MATCHING],
    ['"read"', '""', ONLY_FOR_MATCHING],
    ["traits?.paths", "traits.paths", TYPE_ONLY],
    ["traits?.isReadOnly", "traits.isReadOnly", TYPE_ONLY],
    ["knowledge?.describe", "knowledge.describe", TYPE_ONLY],
    ["command.redirects.length === 0", "false", SHORTCUT],
    ["[]", '["Stryker was here"]', "no path matches it"],
    ["parts.length === 0", "false", "no command without parts is known"],
  ],
  "src/policy/protect/find-allowing-rule.ts": [
    ["rule.knowledge !== undefined", "true", TYPE_ONLY],
    [
      "knowledge === undefined",
      "false",
      "without tables no command has traits, so nothing is covered either",
    ],
    ["words.every((word) => word.literal)", "*", "the words of a proven command are literal"],
    [
      "words.length > 0 && words.every((word) => word.literal)",
      "words.length > 0 || words.every(word => word.literal)",
      "the words of a proven command are literal",
    ],
    ["part.traits?.listedFlags", "part.traits.listedFlags", TYPE_ONLY],
    ["traits?.isReadOnly", "traits.isReadOnly", TYPE_ONLY],
    ["redirects.length > 0", "*", "a part without words and assignments has a redirect"],
    ["writes.length > 0", "*", "a proven command that writes by a redirect names the file"],
  ],
  "src/policy/protect/protected-files.ts": [['""', '"Stryker was here!"', "no path is this exception"]],
  "src/policy/protect/protected-reads.ts": [
    ["/^\\*\\.[^/*.]+$/", "*", "an entry that is no ending is matched by the pattern of all others"],
    ["entries.filter((entry) => ENDING.test(entry))", "entries", "no other entry, cut, is an ending"],
    ["entries.filter((entry) => !ENDING.test(entry))", "entries", "endings may be in the pattern too"],
    ['`/(?:${[...new Set(rest.map(clueOf))].join("|")})`', "*", SHORTCUT],
    ["[...new Set(rest.map(clueOf))]", "*", SHORTCUT],
    ["{ const start = entry.replace…", "*", SHORTCUT],
    ['start.startsWith(".")', "*", SHORTCUT],
    ["`\\.`", "``", SHORTCUT],
    ["start.slice(0, 2)", "start", SHORTCUT],
    ["/\\*.*/", "*", SHORTCUT],
    ["/^\\//", "*", SHORTCUT],
    ["ALL.filter((path) => path.startsWith(HOME))", "ALL", "no path of a call is relative"],
    ["home === undefined", "false", TYPE_ONLY],
    ["own === undefined", "false", "no path of a call is in a folder of this name"],
    ["[]", '["Stryker was here"]', "no path of a call has this name"],
    ['""', '"Stryker was here!"', "no protected path has this name"],
    ["/^~(?=\\/)/", "*", "of other names with a tilde the end decides"],
    ["/^~/", "/~/", "no entry has another tilde"],
    ["/[*?[{]/", "/[^*?[{]/", SHORTCUT],
    ["pattern === name", "false", "a name without signs matches itself"],
    ['"x"', '""', "the stars of these entries are parts of names"],
  ],
  "src/policy/protect/protected.ts": [
    ['"/."', '""', SHORTCUT],
    ["[]", '["Stryker was here"]', "no path is in this folder"],
  ],
  "src/policy/protect/shell-pattern.ts": [
    ["!/[[(]/.test(pattern)", "false", SHORTCUT],
    ["/[[(]/", "/[^[(]/", SHORTCUT],
  ],
  "src/policy/rules/check-examples.ts": [
    ["match.length === 0 && others.length === 0", "*", SHORTCUT],
    ["match.length === 0", "*", SHORTCUT],
    ["others.length === 0", "*", SHORTCUT],
    ['"example"', '""', "the name of a rule or call that is made only for an example"],
    ['{ id: "example", name: tool.name, input }', "{}", "a call that is made only for an example"],
    ['"high"', '""', "matching reads no risk"],
    ['"host"', '""', "matching reads no place"],
    ['"unsafe"', '""', "matching reads no effects"],
    [
      "context.commands?.knowledge",
      "context.commands.knowledge",
      "checkRules passes no command examples without it",
    ],
  ],
  "src/policy/rules/parse-policy.ts": [
    ["parser ??= createDocumentParser(POLICY_SCHEMA, { defaults: false })", "*", CACHE],
    ["{ defaults: false }", "{}", "the schema has no defaults"],
    ["false", "true", "the schema has no defaults"],
    ["[]", '["Stryker was here"]', "a text has no path and no folder"],
    ["{ cause: error }", "{}", "the cause is for the stack"],
  ],
  "src/policy/protect/workspace-boundary.ts": [
    ['"path"', '""', ONLY_FOR_MATCHING],
    ['"read"', '""', ONLY_FOR_MATCHING],
    ['""', '"Stryker was here!"', TYPE_ONLY],
  ],
};

/** Returns why a mutant that no test notices changes no decision; undefined if it is not in the list. */
export function reasonFor(file: string, code: string, replacement: string): string | undefined {
  const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
  const [given, becomes] = [flat(code), flat(replacement)];
  const isCode = (listed: string): boolean =>
    listed.endsWith("…") ? given.startsWith(listed.slice(0, -1)) : given === listed;
  return EQUIVALENT[file]?.find(
    ([listed, change]) => isCode(listed) && (change === "*" || change === becomes),
  )?.[2];
}
