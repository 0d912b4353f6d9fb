import { request } from 'node:http';

/** An answer as it came, redirects not followed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface RawCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** of loopback, to be another client than the others; each address has a budget of its own */
  readonly from?: string;
  /** sent as a browser sends a form */
  readonly form?: Readonly<Record<string, string>>;
  /** sent as JSON; instead of a form */
  readonly body?: string;
}

/** One request without a browser's manners: any Origin, any cookie, any User-Agent. */
export function askRaw(
  url: string,
  { method = 'GET', headers = {}, from = '127.0.0.1', form, body: json }: RawCall = {},
): Promise<RawAnswer> {
  const body = form === undefined ? (json ?? '') : new URLSearchParams(form).toString();
  const typed = form === undefined ? jsonType(json) : { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const ask = request(
      url,
      {
        method,
        agent: false,
        localAddress: from,
        timeout: 20_000,
        headers: { ...typed, 'content-length': Buffer.byteLength(body), ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
        response.on('error', reject);
      },
    );
    ask.on('timeout', () => ask.destroy(new Error('timeout')));
    ask.on('error', reject);
    ask.end(body);
  });
}

const jsonType = (json: string | undefined) => (json === undefined ? {} : { 'content-type': 'application/json' });

/** What an answer that goes on has brought so far. */
export interface Heard {
  text(): string;
  ended(): boolean;
  readonly close: () => void;
}

export function listen(url: string, headers: Readonly<Record<string, string>>): Heard {
  let text = '';
  let ended = false;
  const ask = request(url, { agent: false, headers }, (response) => {
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.on('close', () => (ended = true));
  });
  ask.on('error', () => (ended = true));
  ask.end();
  return { text: () => text, ended: () => ended, close: () => void ask.destroy() };
}
