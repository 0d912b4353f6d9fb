import type { RestAnswer } from '../../dev/lib/rest.ts';

/** How many answers there were of each `status code`. */
export function tally(answers: readonly Pick<RestAnswer, 'status' | 'body'>[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { status, body } of answers) {
    const name = typeof body.code === 'string' ? `${status} ${body.code}` : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
