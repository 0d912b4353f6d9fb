import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
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
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);

it(
  'is gone as a platform hostname too, and does not come back with a project that is made again',
  async () => {
    const { stage, account } = fixture();
    const { kubectl, facts } = stage;
    const hostname = `suspended-third.${facts.platformDomain}`;
    const read = async (kind: string, name: string, path: string) =>
      (await kubectl.run(['get', kind, name, '-n', account, '-o', `jsonpath=${path}`])).trim();
    const says = (kind: string, name: string, path: string, wanted: string) =>
      eventually(`${kind} ${name} says ${wanted}`, 60_000, async () => {
        const seen = await read(kind, name, path);
        expectThat(seen === wanted, seen);
      });
    const annotate = (value: string) =>
      kubectl.run(['annotate', 'hostnameclaim', hostname, `projectdomain.io/suspend${value}`]);
    const reason = '{.status.conditions[?(@.type=="Ready")].reason}';
    await stage.answers(hostname, 'shop-web');
    const visits = fixture().visit([inZone('other.suspended')], ({ status }) => status === 200);
    await annotate('=abuse report 13');
    await says('project', 'third', reason, 'Withdrawn');
    await fixture().isGone(hostname);
    const third = JSON.parse(await kubectl.run(['get', 'project', 'third', '-n', account, '-o', 'json'])) as object;
    await fixture().remove('project', 'third');
    await says('hostnameclaim', hostname, '{.spec.phase}', 'Tombstone');
    await kubectl.apply({ ...third, metadata: { name: 'third', namespace: account }, status: undefined });
    await says('hostnameclaim', hostname, '{.spec.phase}', 'Held');
    await says('project', 'third', reason, 'Withdrawn');
    await fixture().isGone(hostname);
    await annotate('-');
    await stage.answers(hostname, 'shop-web');
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
