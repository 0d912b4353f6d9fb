import { describe, expect, it } from '@jest/globals';
import { visitInTurn } from '../../support/visits.ts';

/** Fails when a test that waits for further visits goes on before they have seen what it is about. */
describe('visits', () => {
  it('that are waited for are sent from then on, and answered', async () => {
    const held = Promise.withResolvers<void>();
    let answered = 0;
    const visits = visitInTurn(['one'], async () => {
      await held.promise;
      answered += 1;
      return null;
    });
    // One was sent by now, and waits for its answer.
    const further = visits.further(3).then(() => answered);
    const seen = await Promise.race([further, Promise.resolve('it waits')]);
    held.resolve();
    const answeredThen = await further;
    const { failed } = await visits.end();
    expect(seen).toBe('it waits');
    expect(answeredThen).toBeGreaterThanOrEqual(4);
    expect(failed).toEqual([]);
  });
});
