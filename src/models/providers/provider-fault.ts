/** Something a provider said went wrong in the middle of its answer, with the status it would have had as a reply. */
export class ProviderFault extends Error {
  readonly statusCode: number;

  constructor(message: string, statusCode: number) {
    super(message);
    this.statusCode = statusCode;
  }
}
