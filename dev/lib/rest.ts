/** One answer of the REST API, as a client sees it. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RestCall {
  readonly method?: string;
  readonly body?: unknown;
}

/** Calls the API with a key. Rejects when there is no answer. */
export type Rest = (path: string, call?: RestCall) => Promise<RestAnswer>;

const deadlineMs = 70_000;

export function restClient(apiUrl: string, key: string): Rest {
  return async (path, { method = 'GET', body } = {}) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, headers: response.headers, body: parsed };
  };
}
