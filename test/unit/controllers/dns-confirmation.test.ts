import { describe, expect, it } from '@jest/globals';
import { observeProjectDomain } from '../../../src/controllers/project-domain/observe-project-domain.ts';
import type { AssessedProjectDomain } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { CheckRequest, DnsFacts } from '../../../src/dns/dns-facts.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { domain, heldBy, now, request, route, snapshot } from '../../support/snapshot.ts';

/** Which looks at a Live domain only confirm that it still leads here, and what becomes of one that does not. */

const hour = 3_600_000;
const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';
const right: DnsFacts = facts(hostname, [name(hostname, [addresses(`-> ${target}`)])]);
const gone: DnsFacts = facts(hostname, [name(hostname, [addresses('NX')])]);

const allYes = { routing: 'Yes', ownership: 'Yes', caa: 'Yes', corroborated: true } as const;
type Change = Partial<AssessedProjectDomain['checkStatus']>;

function live(changes: Change = {}, others: Partial<AssessedProjectDomain> = {}): AssessedProjectDomain {
  const base = snapshot({ ...heldBy, domain: domain({ status: { state: 'Live' } }), route });
  const checked = {
    checkedAt: now - hour,
    fullyCheckedAt: now - hour,
    zone: 'example.com',
    nameServers: ['ns1.host.test'],
  };
  const checkStatus = { ...base.checkStatus, ...allYes, ...checked, ...changes };
  return snapshot({ ...base, target, checkStatus, ...others });
}

/** Observes with a DNS that answers confirmations and full checks as given; what was asked of it, and the verdict. */
async function observed(assessed: AssessedProjectDomain, answers: { confirm: DnsFacts; full: DnsFacts }) {
  const asked: CheckRequest[] = [];
  const dependencies = {
    certManagerUnavailable: () => false,
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
    now: () => now,
    dns: {
      check: (asking: CheckRequest) => {
        asked.push(asking);
        return Promise.resolve(asking.isConfirmation ? answers.confirm : answers.full);
      },
    },
    targets: { of: () => [], saw: () => undefined },
    probe: { ask: () => Promise.reject(new Error('not due')) },
  } as unknown as ControllerNeeds;
  const { verdict } = await observeProjectDomain(dependencies, assessed, new AbortController().signal);
  return { asked: asked.map(({ isConfirmation }) => (isConfirmation ? 'confirm' : 'full')), verdict };
}

describe('a look at a Live domain', () => {
  it('confirms, and carries on what the last full check found', async () => {
    const { asked, verdict } = await observed(live(), { confirm: right, full: gone });
    expect(asked).toEqual(['confirm']);
    expect(verdict).toMatchObject({
      isConfirmation: true,
      routing: { verdict: 'yes' },
      ownership: { verdict: 'yes' },
      caa: { verdict: 'yes' },
      corroborated: true,
      zone: 'example.com',
      nameServers: ['ns1.host.test'],
      issues: [],
    });
  });

  it('confirms under a leader who began after the time of the daily full one', async () => {
    const assessed = live({ fullyCheckedAt: null }, { leadingSince: now - 2 * hour });
    expect((await observed(assessed, { confirm: right, full: gone })).asked).toEqual(['confirm']);
  });

  it('is made in full at once when it does not confirm', async () => {
    const { asked, verdict } = await observed(live(), { confirm: gone, full: gone });
    expect(asked).toEqual(['confirm', 'full']);
    expect(verdict?.isConfirmation).toBeUndefined();
    expect(verdict?.routing.verdict).toBe('no');
  });

  const pending = request('waiting');
  it.each<[string, AssessedProjectDomain]>([
    ['after the time of the daily full one', live({ fullyCheckedAt: now - 4 * hour })],
    ['that was never checked in full', live({ fullyCheckedAt: null })],
    [
      'whose time of the daily full one came under this leader',
      live({ fullyCheckedAt: null }, { leadingSince: now - 4 * hour }),
    ],
    ['whose CAA was unknown', live({ caa: 'Unknown' })],
    ['whose ownership record was gone', live({ ownership: 'No' })],
    ['that last failed', live({ routing: 'No' })],
    ['that one server alone confirmed', live({ corroborated: false })],
    ['with a request that waits for approval', live({}, { requests: [pending] })],
    ['that somebody asked to verify', live({}, { verify: { kind: 'asked', value: 'x', fresh: true } })],
    ['that is Degraded', live({}, { domain: domain({ status: { state: 'Degraded' } }) })],
    ['whose name is not held', live({}, { claimRelation: { kind: 'None' } as never })],
  ])('%s is a full one', async (_, assessed) => {
    const { asked } = await observed(assessed, { confirm: right, full: right });
    expect(asked).not.toContain('confirm');
  });
});
