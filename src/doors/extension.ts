export type {
  CommandWorld,
  Extension,
  ExtensionApi,
  ExtensionCommand,
  ProviderFactory,
} from "../core/extension.ts";
export { defineExtension } from "../core/extension.ts";
export type { Hook, HookDecision, HookMoment, HookPoint } from "../core/hook.ts";
export type { Tool } from "../core/tool.ts";
