// Imports the files that are its arguments in turn, and prints for each, as a line of JSON, what it wrote or its error.
const write = process.stdout.write.bind(process.stdout);
let output = "";
process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
  output += chunk.toString();
  for (const one of rest) if (typeof one === "function") one();
  return true;
};
// Each file finds the arguments with which it would be started itself.
for (const file of process.argv.splice(1).slice(1)) {
  process.argv[1] = file;
  output = "";
  const error = await import(file).then(
    () => undefined,
    ({ stack }: Error) => stack,
  );
  write(`${JSON.stringify({ error, output })}\n`);
}
