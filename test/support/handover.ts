import { randomBytes } from 'node:crypto';
import { handoverPath } from '../../src/rules/handover-path.ts';
import type { HandoverLink } from '../../src/use-cases/handover-links-port.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { linkSecretBytes } from '../../src/use-cases/handover-links-port.ts';

/** A domain whose CNAME is missing, behind an old address, at a DNS host with labels of its own. */
export const waiting = (project: string, hostname: string) => ({
  spec: { project, hostname, role: 'Primary' as const },
  status: {
    state: 'Unverified' as const,
    conditions: [
      {
        type: 'Ready',
        status: 'False' as const,
        reason: 'StrayAddress',
        message: 'an old address is in the way',
        lastTransitionTime: '2026-02-01T00:00:00Z',
      },
    ],
    check: { checkedAt: '2026-03-01T10:00:00Z', nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] },
    timeline: [
      { at: '2026-02-01T00:00:00Z', state: 'Unverified' as const, reason: 'Waiting', message: 'it waits since then' },
    ],
    issues: [
      {
        code: 'StrayAddress',
        message: 'an address is there',
        record: `${hostname}. A 192.0.2.7`,
        fix: 'delete it',
        delete: [{ name: 'www', fqdn: hostname, type: 'A', value: '192.0.2.7' }],
        create: [{ name: '@', fqdn: 'customer.example', type: 'CAA', value: '0 issue "letsencrypt.org"' }],
      },
    ],
  },
});

interface MadeLink {
  readonly link: HandoverLink;
  readonly token: string;
  readonly path: string;
}

/** A link to a domain of an account, made by this key. */
export async function makeLink(
  api: InMemoryApi,
  key: string,
  hostname: string,
  expires = Date.now() + 60_000,
): Promise<MadeLink> {
  const { account, keyId = '' } = api.as(key).caller.apiKey.spec;
  const { uid = '' } = api.stores.domains.get({ namespace: account, name: hostname })?.metadata ?? {};
  const place = { namespace: account, name: hostname, uid };
  const made = await api.handoverLinks.create(
    { account, keyId, ...place, created: Date.now(), expires },
    randomBytes(linkSecretBytes),
  );
  if (made === null) throw new Error('the domain has as many links as it may have');
  return { ...made, path: handoverPath(made.token) };
}
