/** What makes two requests the same: the call with its parameters, query and body as they were sent, before defaults are filled in. */
export interface ComparedRequest {
  readonly method: string;
  /** template of the path */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** parsed, and of the form that the call takes; undefined without one */
  readonly body: unknown;
}

/** The same text for requests that ask for the same, in whatever order their fields are written. */
export const requestText = ({ method, path, params, query, body }: ComparedRequest): string =>
  JSON.stringify([method, path, params, query, body ?? null], sorted);

/** A replacer of JSON.stringify: the fields of objects in the order of their names. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
