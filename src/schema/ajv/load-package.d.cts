/** Loads the Ajv of an edition of JSON Schema, synchronously, when a schema first needs it. */
export declare function loadPackage(name: "ajv" | "ajv/dist/2019.js" | "ajv/dist/2020.js"): unknown;
