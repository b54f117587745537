import type { Json } from "../../../core/json.ts";
import type { Effects, Risk } from "../../../core/spec.ts";
import type { Tool } from "../../../core/tool.ts";
import { callTool, type Caller } from "./call-tool.ts";
import { defined } from "../../../util/json/defined.ts";
import { escapeControls, escapeTexts } from "../../../util/json/escape-texts.ts";
import type { Definition, HashedDefinition, McpSourceOptions } from "../types/source-types.ts";
import { toolNameOf } from "./names.ts";

/** How long a server may take to handle a cancellation. */
const GRACE_MS = 500;

/** Creates a tool from a definition. Annotations can raise its risk; they lower it only if the server is trusted. */
export function toTool(
  hashed: HashedDefinition,
  caller: Caller,
  options: Pick<McpSourceOptions, "trustsAnnotations" | "timeoutMs" | "maxResultBytes">,
): Tool {
  const { definition } = hashed;
  const { trustsAnnotations = false, timeoutMs, maxResultBytes } = options;
  const { name: server } = caller;
  const limited = { ...caller, maxResultBytes };
  const { name: tool, description, input, output, annotations, extra } = withoutControls(definition);
  // A cut answer has no structured content, which clients require of a tool with an output schema.
  const outputSchema = maxResultBytes === undefined ? output : undefined;
  return {
    name: toolNameOf(server, tool),
    description,
    input,
    ...defined({ output }),
    risk: riskOf(definition, trustsAnnotations),
    effects: trustsAnnotations ? effectsOf(definition) : "unsafe",
    place: "host",
    source: `mcp:${server}`,
    isUntrusted: true,
    listed: { ...extra, ...defined({ annotations, outputSchema }) },
    limits: { graceMs: GRACE_MS, ...defined({ timeoutMs }) },
    facts: () => [{ kind: "mcp", server, tool }],
    run: (given, context) => callTool(limited, hashed, given, context),
  };
}

/** Returns the definition with the control and bidirectional characters of its texts escaped; names and values stay. */
function withoutControls({ description, ...rest }: Definition): Definition {
  return {
    ...(escapeTexts(rest as unknown as Json) as unknown as typeof rest),
    description: escapeControls(description),
  };
}

function riskOf({ annotations = {} }: Definition, isTrusted: boolean): Risk {
  if (annotations["destructiveHint"] === true) return "high";
  return isTrusted && annotations["readOnlyHint"] === true ? "low" : "medium";
}

function effectsOf({ annotations = {} }: Definition): Effects {
  if (annotations["readOnlyHint"] === true) return "none";
  return annotations["idempotentHint"] === true ? "idempotent" : "unsafe";
}
