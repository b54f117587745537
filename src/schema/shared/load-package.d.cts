/** Loads Ajv or the format table of ajv-formats, synchronously, when a schema first needs it: few schemas do. */
export declare function loadPackage(
  name: "ajv" | "ajv/dist/2019.js" | "ajv/dist/2020.js" | "ajv-formats/dist/formats.js",
): unknown;
