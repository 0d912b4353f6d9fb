import { expect, it } from '@jest/globals';
import { evaluateProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { nextDnsCheckAt } from '../../../src/controllers/project-domain/check-due.ts';
import type { CheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { minutes } from '../../../src/rules/check-schedule.ts';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import { domain, heldBy, now, request, settings, snapshot } from '../../support/snapshot.ts';

/** The time between two scheduled checks of a Live domain that the operator keeps beside so many served ones. */
function intervalBeside(served: number, looksPerSecond: number, given: Partial<Given> = {}): number {
  const live = domain({ status: { state: 'Live' } });
  const { answers = {}, requests = [] } = given;
  const checkStatus = { ...readCheckStatus(live), startedAt: 0, checkedAt: now, ...answers };
  const at = (moment: number) =>
    nextDnsCheckAt(
      evaluateProjectDomain(
        snapshot({
          ...heldBy,
          domain: live,
          requests,
          now: moment,
          leadingSince: 0,
          checkStatus: { ...checkStatus, checkedAt: moment },
          settings: { ...settings, looksPerSecond },
          failureCounts: { served, failing: 0, namespaces: 1, failingNamespaces: 0 },
        }),
      ),
      'Live',
    ) ?? Number.NaN;
  const first = at(now);
  return at(first) - first;
}

interface Given {
  readonly answers: Partial<CheckStatus>;
  readonly requests: readonly CertificateRequest[];
}

it.each([
  [1, 50, 15],
  [45_000, 50, 15],
  [45_001, 50, 30],
  [100_000, 50, 45],
  [100_000, 200, 15],
])('%i served domains at %i looks a second are each checked every %i minutes', (served, looksPerSecond, interval) => {
  expect(intervalBeside(served, looksPerSecond)).toBe(interval * minutes);
});

const allRight = { routing: 'Yes', ownership: 'Yes', caa: 'Yes', corroborated: true } as const;

// Would fail if a renewal waited six hours after an outage of its name servers, or if a name that leads elsewhere were asked as often.
it.each<[string, Partial<CheckStatus>, boolean, number]>([
  ['could not tell', { routing: 'Unknown' }, true, 60],
  ['was told by one name server alone', { corroborated: false }, true, 60],
  ['said no', { routing: 'Unknown', caa: 'No' }, true, 360],
  ['said yes', {}, true, 360],
  ['could not tell, without a request that waits', { routing: 'Unknown' }, false, 360],
])('among very many domains one whose last check %s', (_, answers, waits, interval) => {
  const given = { answers: { ...allRight, ...answers }, requests: waits ? [request('r1')] : [] };
  expect(intervalBeside(20_000, 1, given)).toBe(interval * minutes);
});
