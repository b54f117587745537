/** True for a file's name that stands for what a program is fed. */
export function isStandardInput(text: string): boolean {
  return /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(text);
}
