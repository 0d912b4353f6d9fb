import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiCalls } from '../../../src/server/call-table.ts';
import { domainBody, timelineEntryBody } from '../../../src/server/domain-body.ts';
import { showDomain } from '../../../src/use-cases/read-domains.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** docs/rest-api.md says what the API does: fails for a call that its table lacks, and for a domain that looks otherwise. */

const page = readFileSync(join(import.meta.dirname, '../../../docs/rest-api.md'), 'utf8');

const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

describe('the page about REST', () => {
  it('begins with a table of all calls', () => {
    const listed = [...section('Calls').matchAll(/`([A-Z, ]+) (\/v1[^`]*)`/g)].flatMap(([, methods = '', path = '']) =>
      methods.split(', ').map((method) => `${method} ${path}`),
    );
    const served = apiCalls.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(listed.toSorted()).toEqual([...served, 'GET /v1/openapi.json'].toSorted());
  });

  it('shows a whole domain as the API answers it', async () => {
    const api = createInMemoryApi();
    const context = api.as(api.account('acme', 'pro'));
    const now = () => Date.parse('2026-01-01T00:02:20Z');
    const at = '2026-01-01T00:02:15Z';
    const value = 'p-t6hofz6mujpaadqdvevyja47wp.cname.apps.example.net';
    const record = { type: 'CNAME', name: 'www', fqdn: 'www.example.com', value } as const;
    const found = 'no DNS record exists for www.example.com';
    const fix = `create www.example.com. CNAME ${value}.`;
    api.domain('acme', 'www.example.com', {
      spec: { project: 'shop', hostname: 'www.example.com', role: 'Primary', labels: { customer: 'cus_123' } },
      status: {
        state: 'Unverified',
        conditions: [
          { type: 'Accepted', status: 'True', reason: 'Accepted', message: '', lastTransitionTime: at },
          {
            type: 'Ready',
            status: 'False',
            reason: 'RecordMissing',
            message: `${found}; ${fix}`,
            lastTransitionTime: at,
          },
        ],
        check: {
          checkedAt: at,
          nameServers: ['ada.ns.cloudflare.com'],
          zone: 'example.com',
        },
        records: [{ ...record, purpose: 'Routing', ttl: 3_600, status: 'Missing', found: [] }],
        issues: [
          {
            ...{ code: 'RecordMissing', severity: 'Error', act: 'ChangeRecords', actor: 'Owner', since: at },
            ...{ params: { name: 'www.example.com', addresses: '192.0.2.10' }, create: [record] },
            ...{ message: found, record: '', fix },
          },
        ],
        timeline: [{ at, kind: 'State', state: 'Unverified', reason: 'RecordMissing', message: `${found}; ${fix}` }],
      },
    });
    const asked = { ...context, dependencies: { ...context.dependencies, now } };
    const { domain, timeline } = await showDomain(asked, { project: 'shop', hostname: 'www.example.com' });
    api.stop();
    const answered = { ...domainBody(domain), timeline: timeline.map(timelineEntryBody) };
    const shown = /```json\n(.*?)```/s.exec(section('A domain'))?.[1] ?? '{}';
    expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(answered)));
  });
});
