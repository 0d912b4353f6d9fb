import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { domainPage } from '../../../../src/dashboard/controllers/domain-controller.ts';
import { domainsPage } from '../../../../src/dashboard/controllers/domains-controller.ts';
import { eventsPage } from '../../../../src/dashboard/controllers/events-controller.ts';
import type { ProjectDomain } from '../../../../src/generated/project-domain.ts';
import { customerStatuses } from '../../../../src/rules/next-step.ts';
import { domainStateNames } from '../../../../src/rules/domain-state.ts';
import { hostnameReasons, acceptedReasons } from '../../../../src/rules/codes/accepted-reasons.ts';
import { certificateReasons } from '../../../../src/rules/codes/certificate-reasons.ts';
import { routedReasons } from '../../../../src/rules/codes/routed-reasons.ts';
import { verifiedReasons } from '../../../../src/rules/codes/verified-reasons.ts';
import { issueCodes } from '../../../../src/rules/issue-params.ts';
import { fromNow } from '../../../support/from-now.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** A domain has one status and one title: on its page, in the list, in the filter's figures, and in live rows. */

type Status = NonNullable<ProjectDomain['status']>;
type Condition = NonNullable<Status['conditions']>[number];

let api: InMemoryApi;
let key: string;
const params = { project: 'shop' };

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
});
afterEach(() => api.stop());

const reasons = [
  ...new Set(
    [acceptedReasons, hostnameReasons, verifiedReasons, certificateReasons, routedReasons, issueCodes].flatMap(
      (table) => Object.keys(table),
    ),
  ),
];
const condition = (type: string, status: 'True' | 'False', reason: string): Condition => ({
  type,
  status,
  reason,
  message: 'a message',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});
const ago = (days: number): string => new Date(fromNow(-days * 86_400_000)).toISOString();
const error = { code: 'StrayAddress', message: 'm', record: 'r', fix: 'f', act: 'ChangeRecords' } as const;
const accepted = condition('Accepted', 'True', 'Accepted');

/** What decides beside state and reason. */
const contexts: Readonly<Record<string, { readonly accepted: Condition; readonly status: Partial<Status> }>> = {
  'while it is checked': { accepted, status: { check: { startedAt: ago(1), checkedAt: ago(0) } } },
  'after the checks have ended': { accepted, status: { check: { startedAt: ago(8), checkedAt: ago(1) } } },
  'that is not accepted': { accepted: condition('Accepted', 'False', 'PlanUpgradeRequired'), status: {} },
  'with an error in DNS': { accepted, status: { issues: [error] } },
  'whose renewal waits': { accepted, status: { certificate: { waitsFor: 'CAAForbids' } } },
};

interface Seen {
  readonly pill: string;
  readonly title: string;
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function seen(html: string): Seen {
  const [, pill = '', after = ''] = /class="pill ([a-z-]*)"[^>]*>([\s\S]*)/.exec(html) ?? [];
  return { pill, title: plain(/<span>([\s\S]*?)<\/span>/.exec(after)?.[1] ?? '') };
}

async function ofPage(hostname: string): Promise<Seen> {
  const { html } = await shown(domainPage, pageRequest(api, key, { params: { ...params, hostname } }));
  return seen(/<h2 id="state-title">([\s\S]*?)<\/h2>/.exec(html)?.[1] ?? '');
}

/** Every row of the list by its hostname, and the figures of the filter. */
async function listed() {
  const rows = new Map<string, Seen>();
  const one = async (page: number) => {
    const { html } = await shown(domainsPage, pageRequest(api, key, { params, query: { page: String(page) } }));
    for (const [, hostname = '', row = ''] of html.matchAll(/<tr id="row-([^"]*)"([\s\S]*?)<\/tr>/g))
      rows.set(hostname, seen(row));
    return html;
  };
  const first = await one(1);
  const pages = Number(/Page 1 of (\d+)/.exec(first)?.[1] ?? 1);
  for (let page = 2; page <= pages; page += 1) await one(page);
  const counts = new Map<string, number>();
  for (const [, status = '', count] of first.matchAll(/\?status=(\w+)"[\s\S]*?class="count">(\d+)</g))
    counts.set(status, Number(count));
  return { rows, counts };
}

async function streamed(count: number): Promise<ReadonlyMap<string, Seen>> {
  const gone = new AbortController();
  const answer = await eventsPage(pageRequest(api, key, { params, signal: gone.signal }));
  if (!('events' in answer)) throw new Error('no stream');
  const rows = new Map<string, Seen>();
  for await (const event of answer.events) {
    const data = /^event: domain\ndata: (.*)$/m.exec(event)?.[1];
    if (data === undefined) continue;
    const { hostname, row } = JSON.parse(data) as { readonly hostname: string; readonly row: string };
    rows.set(hostname, seen(row));
    if (rows.size === count) break;
  }
  gone.abort();
  return rows;
}

const classOf = (status: string): string => status.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

async function expectOneStatus(hostnames: readonly string[]): Promise<void> {
  const { rows, counts } = await listed();
  const live = await streamed(hostnames.length);
  expect([...rows.keys()].toSorted()).toEqual(hostnames.toSorted());
  const pills: string[] = [];
  for (const hostname of hostnames) {
    const page = await ofPage(hostname);
    pills.push(page.pill);
    // Where the title says no more than the pill, the page leaves it out, as rows do for Live.
    const row = rows.get(hostname);
    expect({ hostname, pill: row?.pill }).toEqual({ hostname, pill: page.pill });
    if (page.title !== '' && page.pill !== 'live') expect({ hostname, ...row }).toEqual({ hostname, ...page });
    expect({ hostname, ...live.get(hostname) }).toEqual({ hostname, ...row });
  }
  for (const status of customerStatuses)
    expect([status, counts.get(status) ?? 0]).toEqual([
      status,
      pills.filter((pill) => pill === classOf(status)).length,
    ]);
}

describe('the status of a domain is the same everywhere', () => {
  const table = domainStateNames.flatMap((state) => Object.keys(contexts).map((context) => [state, context] as const));
  it.each(table)('in state %s %s, whatever the reason', async (state, context) => {
    const given = contexts[context];
    const hostnames = reasons.map((reason) => {
      const hostname = `${reason.toLowerCase()}.example.com`;
      const spec = { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'acme.apps.example.net' } } as const;
      const ready = condition('Ready', state === 'Live' ? 'True' : 'False', reason);
      const conditions = [...(given ? [given.accepted] : []), ready];
      api.domain('acme', hostname, { spec, status: { ...given?.status, state, conditions } });
      return hostname;
    });
    await expectOneStatus(hostnames);
  });

  it('before the operator has seen it, when the rules alone tell what it will be', async () => {
    key = api.account('small', 'free');
    const hostnames = Array.from({ length: 8 }, (_, index) => `s${index}.example.com`);
    for (const hostname of hostnames) api.domain('small', hostname, { status: {} });
    await expectOneStatus(hostnames);
    expect((await ofPage('s0.example.com')).pill).toBe('needs-action');
  });
});
