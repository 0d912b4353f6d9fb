// How a client of the API waits (docs/rest-api.md, Backing off): TypeScript, no dependency. Node.js 22.18 runs it as it is:
//   API_KEY=pd_… node retry.ts https://api.example.net/v1/account [COUNT]

const base = 1_000; // milliseconds
const cap = 60_000;
const mostAttempts = 8;
const timeout = 30_000;

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Refused for a while, or not answered: the same request may be sent again. */
const isRefused = (response: Response | null): boolean =>
  response === null || response.status === 429 || response.status === 503;

/** What the server said to wait, in milliseconds; 0 where it did not say seconds. */
function toldToWait(response: Response | null): number {
  const told = response?.headers.get('retry-after') ?? '';
  return /^\d+$/.test(told) ? Number(told) * 1_000 : 0;
}

/** Sends the request until it is not refused. Gives the last answer; throws where there never was one. */
export async function callWithBackoff(url: string, options: RequestInit = {}): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const isLast = attempt === mostAttempts;
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout), ...options }).catch((error: unknown) => {
      if (isLast) throw error;
      return null;
    });
    if (response && (isLast || !isRefused(response))) return response;
    const jitter = Math.random() * Math.min(cap, base * 2 ** attempt);
    await response?.body?.cancel();
    await sleep(toldToWait(response) + jitter);
  }
}

if (import.meta.main) {
  const [url = '', count = '1'] = process.argv.slice(2);
  const headers = { authorization: `Bearer ${process.env.API_KEY ?? ''}` };
  for (let sent = 0; sent < Number(count); sent += 1) console.log((await callWithBackoff(url, { headers })).status);
}
