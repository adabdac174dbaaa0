/** An error of Frumious. `code` is a stable word; `cause` is an error of the browser behind it, if there is one. */
export class FrumiousError extends Error {
  constructor(code, message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FrumiousError';
    this.code = code;
  }
}

/** The error of something that is wrong with what was given. */
export const refused = (message, cause) => new FrumiousError('bad_input', message, cause);

/** Any error as one of Frumious. One from elsewhere gets this code, and words before its own message. */
export function ours(error, code = 'bad_input', before = '') {
  if (error instanceof FrumiousError) return error;
  return new FrumiousError(code, `${before}${error instanceof Error ? error.message : 'no reason is told'}`, error);
}

/** The same function with errors of Frumious alone. Others come of the arguments: the rest of the package has none. */
export const guarded =
  (act) =>
  async (...given) => {
    try {
      return await act(...given);
    } catch (error) {
      throw ours(error);
    }
  };
