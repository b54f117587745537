import { secretsIn } from "../../secrets/find/values.ts";
import type { Variables } from "./environment.ts";
import type { Layer } from "./layers.ts";
import { nearNames } from "../../util/text/near-names.ts";
import type { EnvironmentSettings } from "./groups.ts";
import { SETTINGS, type Settings } from "./settings/settings.ts";

/** Returns the settings that variables set. */
export function environmentLayer(variables: Variables, cwd: string): Layer {
  // Many shells set a variable to nothing where they mean "not set".
  const values = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  return { kind: "environment", from: "environment ", values, nameOf: (key) => SETTINGS[key].variable, cwd };
}

const PREFIX = "TOOLWRIGHT_";
/** Variables that Toolwright sets for processes that it starts. */
const OWN_VARIABLES: ReadonlySet<string> = new Set(["CALL", "LAUNCHED", "WITHIN", "LONG"]);

/** Returns a warning for each variable whose name is near to one that is read. Others with the prefix may belong to other programs. */
export function misspeltVariables(variables: Variables): readonly string[] {
  const names = Object.keys(variables).filter((name) => name.startsWith(PREFIX));
  if (names.length === 0) return [];
  const settings: readonly { readonly variable?: string }[] = Object.values(SETTINGS);
  const known = [
    ...settings.flatMap(({ variable }) => variable ?? []),
    "TOOLWRIGHT_HOME",
    "TOOLWRIGHT_PROFILE",
  ];
  const ends = known.map((name) => name.slice(PREFIX.length));
  return names.flatMap((name) => {
    const end = name.slice(PREFIX.length);
    const [near] = ends.includes(end) || OWN_VARIABLES.has(end) ? [] : nearNames(end, ends);
    return near === undefined ? [] : [`the variable ${name} has no effect; did you mean ${PREFIX}${near}?`];
  });
}

/** Returns the environment of programs, and its values that are secret. */
export function environmentSettings(
  settings: Settings,
  variables: Variables,
  stored: readonly string[],
): EnvironmentSettings {
  const { environment: names, secretPatterns, models } = settings;
  const keys = Object.values(models).flatMap(({ keyVariable = "" }) => variables[keyVariable] ?? []);
  const secrets = [...new Set([...secretsIn(variables), ...keys, ...stored])];
  return { variables, names, secrets, secretPatterns };
}
