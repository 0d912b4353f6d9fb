import { visitInTurn } from '../../support/visits.ts';
import type { Ask, Served } from './asking.ts';
import { answersWith, tallied } from './asking.ts';

/** What became of the requests of visitors. */
export interface Visited {
  readonly asked: number;
  /** how many failed, by reason */
  readonly failed: Readonly<Record<string, number>>;
}

/** Asks one hostname after the other, fifty times a second, each time over a connection of its own, until it is ended. */
export function visit(all: readonly Served[], ask: Ask): { end(): Promise<Visited> } {
  const visits = visitInTurn(all, async ({ hostname, body }) => {
    const answer = await ask(hostname);
    if (answersWith(body)(answer)) return null;
    return 'refused' in answer ? answer.refused : 'another body';
  });
  return {
    async end() {
      const { asked, failed } = await visits.end();
      return { asked, failed: tallied(failed) };
    },
  };
}

/** `0 of 500`, or how many failed with which reasons. */
export function visitedText({ asked, failed }: Visited): string {
  const reasons = Object.entries(failed);
  const count = reasons.reduce((sum, [, each]) => sum + each, 0);
  const why = reasons.map(([reason, each]) => `${reason} ${each}`).join(', ');
  return `${count} of ${asked}${count === 0 ? '' : ` (${why})`}`;
}
