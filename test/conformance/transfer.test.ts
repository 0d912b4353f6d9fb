import { expect, it } from '@jest/globals';
import { inState } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { publishDomain, recordOf } from '../support/published-domain.ts';

/**
 * A hostname whose zone's owner proves it for another account moves there: with a certificate of that account, and nobody is answered by the former project
 * afterwards. Fails where an edge keeps route or certificate of the account before.
 */

const fixture = useConformance(import.meta.filename);

it(
  'is served by whoever proved it last',
  async () => {
    const { stage, account } = fixture();
    const hostname = inZone('www.transfer');
    const next = 'transfer-next';
    const before = await fixture().serialNumber(hostname);
    await publishDomain(stage, next, hostname);
    const seen = await stage.domainWhere(next, hostname, 'is asked for a TXT record', (one) =>
      recordOf(one, 'TXT') && recordOf(one, 'CNAME') ? null : 'no records',
    );
    await stage.answers(hostname, 'shop-web');
    await fixture().setRecords(hostname, [`CNAME ${recordOf(seen, 'CNAME')?.value}.`]);
    const txt = recordOf(seen, 'TXT');
    await fixture().setRecords(txt?.fqdn ?? '', [`TXT "${txt?.value}"`]);
    await stage.domainWhere(next, hostname, 'is Live', inState('Live'));
    await stage.answers(hostname, `${next}-web`);
    const after = Array.from({ length: 20 }, () => fixture().ask(hostname));
    expect((await Promise.all(after)).filter(({ body }) => !body.includes(`"${next}-web"`))).toEqual([]);
    expect(await fixture().serialNumber(hostname)).not.toBe(before);
    await stage.domainWhere(account, 'www', 'has lost it', inState('Unverified', 'HeldElsewhere'));
    await stage.kubectl.run(['delete', 'project', 'shop', '-n', next]);
    await fixture().isGone(hostname);
  },
  conformanceDeadlineMs,
);
