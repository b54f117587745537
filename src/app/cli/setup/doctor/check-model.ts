import { ToolError } from "../../../../core/errors.ts";
import type { Model } from "../../../../core/agent/model.ts";
import { visible } from "../../../../util/text/visible.ts";
import type { ConfigGroups } from "../../../config/groups.ts";
import { findConfiguredModels, openConfiguredModel } from "../../../host/open-configured-model.ts";
import { attempt, check, type Check } from "./check.ts";

const NAME = "model";
/** A local server may have to load the model first. */
const ANSWER_MS = 60_000;
const MAX_TOKENS = 16;
const MAX_NAMED = 3;

/** Checks the configured model with a short request; without one, names models that can be used. Never throws. */
export async function checkModel(
  config: ConfigGroups<"agent" | "environment" | "paths">,
  isOffline: boolean,
): Promise<Check> {
  if (config.agent.model === "") return suggest(config, isOffline);
  return attempt(NAME, async () => {
    // No tool runs that could print the key.
    const model = await openConfiguredModel(config, () => undefined);
    if (model.id.startsWith("scripted/"))
      return check("ok", NAME, `${visible(model.id)} answers from a file`);
    if (isOffline) return check("ok", NAME, `${visible(model.id)}; no request was sent`);
    return check("ok", NAME, `${visible(model.id)} answered in ${await askOnce(model)} ms`);
  });
}

async function suggest(
  config: ConfigGroups<"agent" | "environment" | "paths">,
  isOffline: boolean,
): Promise<Check> {
  const models = await findConfiguredModels(config, { isLocal: isOffline });
  const [first] = models;
  if (first === undefined)
    return check(
      "note",
      NAME,
      "none is set, no key is in the environment, and no Ollama, LM Studio or llama.cpp is running",
      "toolwright init takes a key or the address of a server",
    );
  const named = models.slice(0, MAX_NAMED).map(({ id, where }) => `${visible(id)} (${visible(where)})`);
  const more = models.length > MAX_NAMED ? ` and ${models.length - MAX_NAMED} more` : "";
  return check(
    "note",
    NAME,
    `none is set; found ${named.join(", ")}${more}`,
    `toolwright config set model ${visible(first.id)}, or toolwright init`,
  );
}

/** Returns after how many milliseconds the model began to answer. Throws the first error instead of trying again. */
export async function askOnce(model: Model): Promise<number> {
  const startedAt = performance.now();
  const parts = model.stream({
    instructions: "Reply with the word OK.",
    messages: [{ role: "user", content: [{ type: "text", text: "Reply with the word OK." }] }],
    tools: [],
    signal: AbortSignal.timeout(ANSWER_MS),
    maxOutputTokens: MAX_TOKENS,
  });
  for await (const part of parts) {
    if (part.type === "retry") throw new ToolError("UNAVAILABLE", part.message);
    return Math.round(performance.now() - startedAt);
  }
  throw new ToolError("MODEL_FAILED", "the model sent an empty answer");
}
