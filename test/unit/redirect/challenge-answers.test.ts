import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { decideRedirect } from '../../../src/redirector/redirects/decide-redirect.ts';
import { claim } from '../../support/snapshot.ts';

type Order = NonNullable<HostnameClaim['spec']['orders']>[number];

const token = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0';
const ours = '9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI';
const former = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';

const order = (changes: Partial<Order> = {}): Order => ({
  request: 'r-1',
  at: '2026-11-01T00:00:00Z',
  outcome: 'Pending',
  acme: { account: 'https://acme.example/acct/1', thumbprint: ours, placed: 1 },
  ...changes,
});
const byFormer = { account: 'https://acme.example/acct/0', thumbprint: former, placed: 1 };

interface Asked {
  readonly spec?: Partial<HostnameClaim['spec']> | null;
  readonly host?: string | null;
  readonly path?: string;
}

function answer({ spec = {}, host = 'www.example.com', path = token }: Asked) {
  const held = spec === null ? undefined : claim({ orders: [order()], ...spec });
  return decideRedirect(
    { host, target: `/.well-known/acme-challenge/${path}`, scheme: 'http' },
    {
      claimOf: (hostname) => (hostname === 'www.example.com' ? held : undefined),
      domain: () => undefined,
      project: () => undefined,
      withNonce: () => [],
      recent: () => null,
      wasPrimary: () => false,
      wasServed: () => false,
    },
  );
}

describe('a challenge of an authority', () => {
  it('is answered with the key authorization alone, for which no browser takes it for a page', () => {
    expect(answer({})).toEqual({
      status: 200,
      headers: {
        'cache-control': 'no-store',
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
      },
      body: `${token}.${ours}`,
    });
  });

  it('is answered for the order that is open, not for one that ended', () => {
    const orders = [order({ outcome: 'Failed', acme: byFormer }), order()];
    expect(answer({ spec: { orders } }).body).toBe(`${token}.${ours}`);
  });

  it.each<[string, Asked]>([
    ['nobody holds the hostname', { spec: null }],
    ['the hostname moves to another account', { spec: { phase: 'Releasing' } }],
    ['the hostname was removed', { spec: { phase: 'Tombstone' } }],
    ['nothing was ever ordered', { spec: { orders: [] } }],
    ['the certificate is issued', { spec: { orders: [order({ outcome: 'Issued' })] } }],
    ['the order failed', { spec: { orders: [order({ outcome: 'Failed' })] } }],
    ['cert-manager orders, whose solver answers', { spec: { orders: [{ ...order(), acme: undefined } as never] } }],
    ['another hostname is asked', { host: 'shop.example.com' }],
    ['no hostname is asked', { host: null }],
    ['the token is shorter than 128 bits', { path: token.slice(0, 21) }],
    ['the token is longer than any', { path: 'a'.repeat(129) }],
    ['the token is not of the alphabet', { path: `${token}=` }],
    ['the token is escaped', { path: `%4c${token.slice(1)}` }],
    ['there is a query, which no authority sends', { path: `${token}?x` }],
    ['there is more of a path', { path: `${token}/x` }],
    ['there is a line break', { path: `${token}\n` }],
    ['there is no token', { path: '' }],
  ])('is not answered where %s', (_, asked) => {
    const { status, body } = answer(asked);
    expect([400, 404]).toContain(status);
    expect(body).not.toContain(ours);
  });
});
