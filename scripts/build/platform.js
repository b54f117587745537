// The bundle's own globals of Node: `imports` of package.json chooses the file, for Node or for browsers and workers.
export { Buffer, clearImmediate, clearTimeout, process, setImmediate, setTimeout } from "#platform";
