export type {
  CommandWorld,
  Extension,
  ExtensionApi,
  ExtensionCommand,
  ProviderFactory,
} from "../sources/extension/extension.ts";
export { defineExtension } from "../sources/extension/extension.ts";
export type { Hook, HookDecision, HookMoment, HookPoint } from "../core/hook.ts";
export type { Tool } from "../core/tool.ts";
