import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { verifyRequests } from '../support/verify-requests.ts';

/**
 * A hostname whose record is deleted is served on to whoever still comes, and is told that its record is missing. Fails where one failed check takes a
 * route away.
 */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.dns-taken-away');

it(
  'is served on while its record is gone, and after it is back',
  async () => {
    const { stage, account } = fixture();
    const verify = verifyRequests(stage);
    const checked = async (what: string, isRight: (issues: number) => boolean) => {
      await verify(account, 'www');
      await stage.domainWhere(account, 'www', what, ({ status }) =>
        isRight(status?.issues?.length ?? 0) ? null : `${status?.issues?.length} issues`,
      );
    };
    const visits = fixture().visit([hostname], ({ status }) => status === 200);
    await fixture().setRecords(hostname, []);
    await checked('is told of the missing record', (issues) => issues > 0);
    await visits.further(100);
    await fixture().createRecord(hostname);
    await checked('has no issue', (issues) => issues === 0);
    await fixture().isLive(hostname);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
