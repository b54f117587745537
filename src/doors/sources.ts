export type { ExtensionDirectory } from "../sources/extension/extension-folder.ts";
export type { Extensions, ExtensionsOptions } from "../sources/extension/extensions.ts";
export { createExtensions } from "../sources/extension/extensions.ts";
export type { ToolDirectory } from "../sources/external/discover.ts";
export type { ExternalOptions, ExternalToolSettings } from "../sources/external/source.ts";
export { createExternalSource } from "../sources/external/source.ts";
export type { SkillDirectory } from "../sources/skills/skills.ts";
export { createSkills } from "../sources/skills/skills.ts";
