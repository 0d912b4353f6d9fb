import { describe, expect, it } from '@jest/globals';
import type { Project } from '../../../src/generated/project.ts';
import type { ProjectState } from '../../../src/rules/project-state.ts';
import { projectSituation, projectStates } from '../../../src/rules/project-state.ts';
import { platformAddress } from '../../../src/dashboard/views/platform-address.ts';

/** What callers of the API are told of a project's address: never that it is served where it is not. */

type Conditions = NonNullable<NonNullable<Project['status']>['conditions']>;
type Said = readonly [type: string, status: 'True' | 'False' | 'Unknown', reason: string];

const statusOf = (said: readonly Said[]): NonNullable<Project['status']> => ({
  conditions: said.map(([type, status, reason]) => ({
    type,
    status,
    reason,
    message: `${reason} it is`,
    lastTransitionTime: '2026-01-01T00:00:00Z',
  })) as Conditions,
});

const accepted: Said = ['Accepted', 'True', 'Accepted'];
const taken: Said = ['Accepted', 'False', 'SubdomainTaken'];
const routed: Said = ['Routed', 'True', 'Routed'];

const cases: readonly (readonly [string, readonly Said[], boolean, ProjectState, string, string])[] = [
  ['nobody has looked at', [], false, 'pending', 'Waiting', 'pending'],
  ['is served', [accepted, routed, ['Ready', 'True', 'Ready']], true, 'live', 'Ready', 'online'],
  [
    'says that it is served and does not hold its address, as its claim is gone',
    [accepted, routed, ['Ready', 'True', 'Ready']],
    false,
    'pending',
    'Waiting',
    'pending',
  ],
  ['was never deployed', [accepted, ['Ready', 'False', 'NotDeployed']], false, 'pending', 'NotDeployed', 'pending'],
  [
    'asks for what another has',
    [taken, ['Ready', 'False', 'SubdomainTaken']],
    false,
    'refused',
    'SubdomainTaken',
    'refused',
  ],
  [
    'asks for what another has, and is served elsewhere',
    [taken, routed, ['Ready', 'False', 'SubdomainTaken']],
    true,
    'degraded',
    'SubdomainTaken',
    'online',
  ],
  [
    'an administrator suspended',
    [accepted, ['Routed', 'False', 'Withdrawn'], ['Ready', 'False', 'Withdrawn']],
    true,
    'suspended',
    'Withdrawn',
    'refused',
  ],
  [
    'shows another’s certificate',
    [accepted, ['Routed', 'False', 'ForeignCertificate'], ['Ready', 'False', 'ForeignCertificate']],
    true,
    'degraded',
    'ForeignCertificate',
    'online',
  ],
  [
    'does not answer yet',
    [accepted, ['Routed', 'Unknown', 'NotAnswering'], ['Ready', 'False', 'NotAnswering']],
    true,
    'pending',
    'NotAnswering',
    'online',
  ],
  [
    'has no account yet',
    [
      ['Accepted', 'Unknown', 'AccountNotFound'],
      ['Ready', 'False', 'AccountNotFound'],
    ],
    false,
    'pending',
    'AccountNotFound',
    'pending',
  ],
];

describe('a project that', () => {
  it.each(cases)('%s', (_title, said, isHeld, state, reason, shown) => {
    const situation = projectSituation({ status: statusOf(said) }, isHeld);
    expect([situation.state, situation.reason]).toEqual([state, reason]);
    expect(situation.message).not.toBe('');
    const platformHostname = isHeld ? 'shop.apps.example.net' : null;
    expect(platformAddress({ ...situation, platformHostname }).kind).toBe(shown);
  });

  it('is in each state in some case of these', () => {
    expect(new Set(cases.map(([, , , state]) => state))).toEqual(new Set(Object.keys(projectStates)));
  });
});
