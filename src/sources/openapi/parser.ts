// Loaded on use, and by name, so that the bundle has only these parts of the package.
export { normalize, upgrade } from "@scalar/openapi-parser";
