import { listModels } from "../../../models/find-models.ts";
import { openModel } from "../../../models/open-model.ts";
import { defined } from "../../../util/json/defined.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { askLine } from "../../terminal/approve/ask-line.ts";
import type { World } from "../../terminal/input/command.ts";
import type { ModelQuestions } from "./ask-model.ts";
import { askOnce } from "./doctor/check-model.ts";

/** Returns the questions about the model on this terminal, and the requests by which answers are tried. */
export function modelQuestions(
  { agent: { models }, environment: { variables: environment } }: ConfigGroups<"agent" | "environment">,
  world: World,
): Omit<ModelQuestions, "models"> {
  return {
    ask: (question) => askLine(world, question),
    askHidden: (question) => askLine(world, question, { isHidden: true }),
    print: (text) => world.stderr.write(text),
    addressOf: (provider) => models[provider]?.baseUrl,
    listModels: (provider, server) => listModels(provider, server, { environment }),
    tryModel: async (id, server) => askOnce(await openModel(id, { environment, ...defined({ ...server }) })),
  };
}
