import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { heldPlatformHostname } from '../../../src/rules/platform-hostname.ts';
import { platformClaim, project } from '../../support/snapshot.ts';

/** A status says where a project would be served; only the claim says whether it is. */

const hostname = 'shop.apps.example.net';

const held = (claim: HostnameClaim | undefined, of: typeof project | undefined = project) =>
  heldPlatformHostname(of, (name) => (name === hostname ? claim : undefined));

describe('the platform hostname that a status names', () => {
  it('is the project’s while its claim is Held by it', () => {
    expect(held(platformClaim())).toBe(hostname);
  });

  it.each<[string, HostnameClaim | undefined]>([
    ['nobody has claimed', undefined],
    ['another project of the account holds', platformClaim({ holder: { namespace: 'acme', name: 'blog' } })],
    ['a project of the same name elsewhere holds', platformClaim({ holder: { namespace: 'rival', name: 'shop' } })],
    ['was given up', platformClaim({ phase: 'Tombstone' })],
    ['moves', platformClaim({ phase: 'Releasing' })],
    ['is not decided', platformClaim({ phase: 'Pending' })],
    [
      'is being deleted, whatever keeps its claim',
      { ...platformClaim({}), metadata: { name: 'shop.apps.example.net', deletionTimestamp: '2026-01-01T00:00:00Z' } },
    ],
    [
      'a domain of the project’s name holds as a customer’s',
      platformClaim({ proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' } }),
    ],
  ])('is not its own where %s it', (_title, claim) => {
    expect(held(claim)).toBeNull();
  });

  it('is none where the status says nothing, or there is no project', () => {
    expect(held(platformClaim(), { ...project, status: {} })).toBeNull();
    expect(heldPlatformHostname(undefined, () => platformClaim())).toBeNull();
  });
});
