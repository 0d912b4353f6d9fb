import { expect, it } from '@jest/globals';
import { inState } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { publishDomain, recordOf } from '../support/published-domain.ts';

/** Two accounts hold a hostname and one below it, and each is served by its own. Fails where one account's route answers for another's hostname. */

const fixture = useConformance(import.meta.filename);
const [own, other] = [inZone('shop.neighbouring-accounts'), inZone('eu.shop.neighbouring-accounts')] as const;

it(
  'each answers with its own project, whatever becomes of the other',
  async () => {
    const { stage } = fixture();
    const neighbour = 'neighbouring-accounts-other';
    const visits = fixture().visit([own], ({ body }) => body.includes('"shop-web"'));
    await publishDomain(stage, neighbour, other);
    const seen = await stage.domainWhere(neighbour, other, 'shows its record', (one) =>
      recordOf(one, 'CNAME') ? null : 'no record',
    );
    await fixture().setRecords(other, [`CNAME ${recordOf(seen, 'CNAME')?.value}.`]);
    await stage.domainWhere(neighbour, other, 'is Live', inState('Live'));
    await stage.answers(other, `${neighbour}-web`);
    await stage.kubectl.run(['delete', 'project', 'shop', '-n', neighbour]);
    await fixture().isGone(other);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
