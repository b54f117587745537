import type * as flatSchema from "../../schema/define/flat-schema.ts";
import { loadBeside } from "../../util/load-beside.ts";
import type * as keys from "../providers/keys.ts";
import type * as names from "../providers/names.ts";
import type * as messages from "../providers/to-provider-messages.ts";
import type * as tools from "../providers/to-provider-tools.ts";

// The provider shapes, each loaded when first used: an engine that only runs calls needs none of them.

/** Tools as a provider is told of them. */
export const toProviderTools: typeof tools.toProviderTools = (...given) =>
  (load("to-provider-tools") as typeof tools).toProviderTools(...given);

/** The part of a request that offers tools; none where there is no tool. */
export const toToolsField: typeof tools.toToolsField = (...given) =>
  (load("to-provider-tools") as typeof tools).toToolsField(...given);

/** Answers as a provider takes them back. */
export const toProviderMessages: typeof messages.toProviderMessages = (...given) =>
  (load("to-provider-messages") as typeof messages).toProviderMessages(...given);

/** A flat description of parameters as JSON Schema. */
export const fromFlatSchema: typeof flatSchema.fromFlatSchema = (...given) =>
  (loadBeside(import.meta.url, "../../schema/define/flat-schema") as typeof flatSchema).fromFlatSchema(
    ...given,
  );

/** The names under which one provider is shown a set of tools. */
export const createNames: typeof names.createNames = (...given) =>
  (load("names") as typeof names).createNames(...given);

/** Parameters that a provider was shown under safer names, under their own again. */
export const fromSafeKeys: typeof keys.fromSafeKeys = (...given) =>
  (load("keys") as typeof keys).fromSafeKeys(...given);

function load(name: string): unknown {
  return loadBeside(import.meta.url, `../providers/${name}`);
}
