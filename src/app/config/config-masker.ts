import { compileSecretPatterns } from "../../json-schema/patterns/secret-patterns.ts";
import { createMasker, type Masker } from "../../secrets/mask.ts";

/** The part of the configuration that says what is masked. */
interface MaskedSettings {
  readonly secrets: readonly string[];
  readonly secretPatterns: Readonly<Record<string, string>>;
}

/** Returns a masker of the secrets and patterns of the configuration, for text that passes no engine. */
export function createConfigMasker(
  { secrets, secretPatterns }: MaskedSettings,
  more: readonly string[] = [],
): Masker {
  return createMasker([...secrets, ...more], compileSecretPatterns(secretPatterns));
}
