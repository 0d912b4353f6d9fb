import { Agent, request } from 'node:http';

/** What came of one request to our API. */
export interface Asked {
  readonly status: number;
  readonly ms: number;
}

export type Ask = (url: string, key: string) => Promise<Asked>;

/** Asks our API for the account that a key belongs to, over connections that are kept. */
export function createAsk(): Ask {
  const agent = new Agent({ keepAlive: true });
  return (url, key) => {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const asking = request(`${url}/v1/account`, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }));
      });
      asking.on('error', reject);
      asking.end();
    });
  };
}
