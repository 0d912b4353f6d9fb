import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { domain, heldBy, snapshot, verdict } from '../../support/snapshot.ts';

/** A second Ingress for a hostname of ours: its customer is warned, administrators are told which, and nothing else changes. */

type Issue = NonNullable<NonNullable<ProjectDomain['status']>['issues']>[number];

function decided(otherIngresses: readonly string[], changes: Partial<ProjectDomainSnapshot> = {}) {
  const actions = decideProjectDomain(snapshot({ ...heldBy, verdict: verdict(), otherIngresses, ...changes }));
  const write = actions.writes.findLast(({ verb }) => verb === 'applyStatus') as unknown as {
    readonly object: { readonly status: { readonly state: string; readonly issues: readonly Issue[] } };
  };
  const { issues, state } = write.object.status;
  const elsewhere = issues.find(({ code }) => code === 'IngressElsewhere');
  return { issues, state, elsewhere, events: actions.events.filter(({ reason }) => reason === 'IngressElsewhere') };
}

describe('a hostname that another Ingress has', () => {
  it('is warned about, without the name of another namespace', () => {
    const { elsewhere, state } = decided(['legacy/old']);
    expect(elsewhere).toMatchObject({ severity: 'Warning', actor: 'Platform' });
    expect(JSON.stringify(elsewhere)).not.toMatch(/legacy|old/);
    expect(state).toBe(decided([]).state);
  });

  it('is warned about with the name of one of its own namespace', () => {
    const { elsewhere } = decided(['acme/old', 'legacy/old']);
    expect(elsewhere?.message).toContain('Ingress acme/old has www.example.com too');
    expect(JSON.stringify(elsewhere)).not.toContain('legacy');
  });

  it('is told in an Event about its claim, with all names, once', () => {
    const { events, issues } = decided(['acme/old', 'legacy/old']);
    expect(events).toMatchObject([{ about: { kind: 'HostnameClaim' }, type: 'Warning' }]);
    expect(events[0]?.message).toContain('Ingress acme/old, legacy/old too');
    const told = domain({ status: { issues: [...issues] } });
    expect(decided(['acme/old', 'legacy/old'], { domain: told }).events).toEqual([]);
  });

  it('is no more once that is gone', () => {
    expect(decided([]).elsewhere).toBeUndefined();
    expect(decided([]).events).toEqual([]);
  });
});
