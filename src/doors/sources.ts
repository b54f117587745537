export type { ToolDirectory } from "../sources/external/discover.ts";
export type { ExternalOptions, ExternalToolSettings } from "../sources/external/source.ts";
export { createExternalSource } from "../sources/external/source.ts";
