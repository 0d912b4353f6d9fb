import { expect, it } from '@jest/globals';
import { inState } from '../../dev/story/stage.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/**
 * A hostname that an administrator suspends is not served until it is let go, and then with the certificate that it had. Fails where an edge goes on with what was
 * withdrawn, or a neighbour goes with it.
 */

const fixture = useConformance(import.meta.filename);

it(
  'is gone at once, and back with its certificate',
  async () => {
    const { stage, account } = fixture();
    const hostname = inZone('www.suspended');
    const annotate = (value: string) =>
      stage.kubectl.run(['annotate', 'hostnameclaim', hostname, `projectdomain.io/suspend${value}`]);
    const before = await fixture().serialNumber(hostname);
    const visits = fixture().visit([inZone('other.suspended')], ({ status }) => status === 200);
    await annotate('=abuse report 12');
    await (stage.facts.servesWildcards ? fixture().answers(hostname, 503) : fixture().isGone(hostname));
    await stage.domainWhere(account, 'www', 'is Suspended', inState('Suspended'));
    expect((await fixture().askHttp(hostname)).body).not.toContain('shop-web');
    await annotate('-');
    await fixture().isLive(hostname);
    await fixture().answers(hostname, 200);
    expect(await fixture().serialNumber(hostname)).toBe(before);
    const { failed, asked } = await visits.end();
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(5);
  },
  conformanceDeadlineMs,
);
