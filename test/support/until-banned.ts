import { eventually, expectThat } from '../../dev/lib/eventually.ts';

/** A loop is banned in the twentieth second after its first 429. */
const withinMs = 60_000;

interface Answer {
  readonly status: number;
}

/** Goes on regardless until it is answered 403; that answer. `ask` sends one request, or several. */
export const untilBanned = <T extends Answer>(ask: () => Promise<T>): Promise<T> =>
  eventually('the client is banned', withinMs, async () => {
    const answer = await ask();
    expectThat(answer.status === 403, `it is answered ${answer.status}`);
    return answer;
  });
