/** An error of Frumious. `code` is a stable word. */
export class FrumiousError extends Error {
  constructor(code, message) {
    super(message);
    this.name = 'FrumiousError';
    this.code = code;
  }
}
