import { describe, expect, it } from '@jest/globals';
import { domainBody, timelineEntryBody } from '../../../src/server/domain-body.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { showDomain } from '../../../src/use-cases/read-domains.ts';

/** What REST says where the resources say it otherwise. */

const at = '2026-02-01T00:00:00Z';

async function shown(hostname: string) {
  const api = createInMemoryApi();
  const context = api.as(api.account('acme', 'pro'));
  const params = { zone: 'example.com', addresses: '192.0.2.1, 2001:db8::1', signers: '7/13 8/13', types: '' };
  api.domain('acme', hostname, {
    status: {
      state: 'Verified',
      conditions: [{ type: 'Ready', status: 'False', reason: 'CAAForbids', message: 'no', lastTransitionTime: at }],
      issues: [
        {
          ...{ code: 'CaaForbidsAuthority', message: 'no', record: '', fix: 'do', severity: 'Error' },
          ...{ act: 'AskDnsHost', actor: 'DnsHost', params },
        },
      ],
      timeline: [
        {
          at,
          kind: 'Finding',
          state: 'Unverified',
          reason: 'Appeared',
          code: 'StrayAddress',
          severity: 'Error',
          message: '',
        },
        {
          at,
          kind: 'Order',
          state: 'Verified',
          reason: 'Ordered',
          params: { order: 'First', orderedAt: at },
          message: '',
        },
        { at, kind: 'Certificate', state: 'Live', reason: 'Revoked', params: { reason: 'keyCompromise' }, message: '' },
      ],
    },
  });
  const details = await showDomain(context, { project: 'shop', hostname });
  api.stop();
  return details;
}

describe('a domain in REST', () => {
  it('has its words in kebab-case, and lists where a sentence has one text', async () => {
    const { domain } = await shown('www.example.com');
    expect(domainBody(domain)).toMatchObject({
      ...{ hostname: 'www.example.com', unicodeHostname: 'www.example.com', state: 'verified', reason: 'caa-forbids' },
      records: [{ purpose: 'routing', type: 'CNAME', status: 'unknown' }],
      issues: [
        {
          ...{ code: 'caa-forbids-authority', severity: 'error', act: 'ask-dns-host', actor: 'dns-host' },
          params: {
            ...{ zone: 'example.com', addresses: ['192.0.2.1', '2001:db8::1'] },
            ...{ signers: ['7/13', '8/13'], types: [] },
          },
        },
      ],
    });
  });

  it('has its timeline in the same words', async () => {
    const { timeline } = await shown('www.example.com');
    expect(timeline.map(timelineEntryBody)).toMatchObject([
      { kind: 'finding', state: 'unverified', reason: 'appeared', code: 'stray-address', severity: 'error' },
      { kind: 'order', reason: 'ordered', code: null, severity: null, params: { order: 'first', orderedAt: at } },
      { kind: 'certificate', state: 'live', reason: 'revoked', params: { reason: 'key-compromise' } },
    ]);
  });

  it('has its hostname as people write it too, where that leads back to it', async () => {
    const { domain } = await shown('xn--mnchen-3ya.example.com');
    expect(domainBody(domain)).toMatchObject({ unicodeHostname: 'münchen.example.com' });
  });
});
