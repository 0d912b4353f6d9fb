import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { redirectKinds } from '../../../src/redirector/redirect-kinds.ts';

/** How the redirector finds the domain that a token was published for. Fails when it finds none, or trips over a domain without one. */

const token = { nonce: 'asked', answer: 'answered' };
const domain = (status: ProjectDomain['status']): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: 'www.example.com', namespace: 'acme' },
  spec: { project: 'shop', hostname: 'www.example.com', role: 'Primary' },
  ...(status === undefined ? {} : { status }),
});

describe('a domain is found by the nonce of its token', () => {
  it.each([
    ['while there is one', domain({ state: 'Unverified', check: { token } }), ['asked']],
    ['and not once it is gone', domain({ state: 'Live', check: {} }), []],
    ['and not before its first check', domain({ state: 'Pending' }), []],
    ['and not before it has a status', domain(undefined), []],
  ])('%s', (_, object, nonces) => {
    expect(redirectKinds.domains.indexes?.nonce?.(object)).toEqual(nonces);
  });
});
