import { request } from 'node:https';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface Ask {
  readonly address: string;
  /** PEM roots to trust, and no others */
  readonly ca: Buffer;
  readonly hostname: string;
  readonly path?: string;
  /** what the request says it is for, where that is not the hostname that the connection is for */
  readonly host?: string;
  /** how long the connection may be silent, milliseconds; 5 seconds where it is asked again */
  readonly silentMs?: number;
}

/** One HTTPS request to an address under a hostname, verified against the given root alone. */
export function askHttps({
  address,
  ca,
  hostname,
  path = '/',
  host = hostname,
  silentMs = 5_000,
}: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: address,
      port: 443,
      servername: hostname,
      ca,
      path,
      headers: { host },
      agent: false,
      timeout: silentMs,
    };
    const ask = request(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      response.on('error', reject);
    });
    ask.on('timeout', () => ask.destroy(new Error('timeout')));
    ask.on('error', reject);
    ask.end();
  });
}
