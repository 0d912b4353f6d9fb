/** What makes two requests the same: the call with its parameters, query, condition and body as they were sent, before defaults are filled in. */
export interface ComparedRequest {
  readonly method: string;
  /** template of the path */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** what the change is made under; undefined for nothing */
  readonly ifMatch: string | undefined;
  /** parsed, and of the form that the call takes; undefined without one */
  readonly body: unknown;
}

/** The same text for requests that ask for the same, in whatever order their fields are written. */
export const requestText = ({ method, path, params, query, ifMatch, body }: ComparedRequest): string =>
  JSON.stringify([method, path, params, query, ifMatch ?? null, body ?? null], sorted);

/** A replacer of JSON.stringify: the fields of objects in the order of their names. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
