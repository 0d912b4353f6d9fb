import { expect, it } from '@jest/globals';
import { eventually } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/** A redirect whose destination is not served yet answers 503 and says when to come again. Fails where visitors are sent to a hostname that shows no certificate. */

const fixture = useConformance(import.meta.filename, { isLive: false });
const [www, old] = [inZone('www.redirect-waits'), inZone('old.redirect-waits')] as const;

it(
  'waits for its destination, and leads there once it is served',
  async () => {
    await fixture().createRecord(old);
    await eventually('it answers', 60_000, () => fixture().ask(old));
    await fixture().answers(old, 503);
    const { headers } = await fixture().ask(old);
    expect(headers['retry-after']).toBe('5');
    await fixture().createRecord(www);
    await fixture().isLive(www);
    await fixture().answers(old, 301);
    await fixture().answers(www, 200);
  },
  conformanceDeadlineMs,
);
