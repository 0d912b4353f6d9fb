import type { CustomerStatus } from '../help/customer-status.ts';
import { customerStatuses } from '../help/customer-status.ts';
import { domainViews } from './describe-domain.ts';
import type { DomainSituation } from './domain-situation.ts';
import { situationOf, statusForCustomer } from './domain-situation.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';

/** Which domains of a project are looked for. */
export interface DomainFilter {
  /** null: whatever their status is */
  readonly status: CustomerStatus | null;
  /** part of the hostname, in lower case; '' for all */
  readonly text: string;
}

interface FindDomains extends ProjectPath {
  readonly filter: DomainFilter;
  /** from 1; one beyond the last shows the last */
  readonly page: number;
  /** domains per page */
  readonly size: number;
}

/** A page of the domains that were found, those that need their customer first; then by hostname. */
export interface FoundDomains {
  readonly items: readonly DomainSituation[];
  readonly page: number;
  readonly pages: number;
  /** how many domains the project has, and how many were found by their text, by status */
  readonly total: number;
  readonly counts: Readonly<Record<CustomerStatus, number>>;
  /** the keys between which a new domain belongs on this page; null where the list begins or ends */
  readonly after: string | null;
  readonly until: string | null;
}

interface Ranked {
  readonly situation: DomainSituation;
  readonly status: CustomerStatus;
  readonly key: string;
}

/** The domains of a project that match a filter, on pages. */
export const findDomains = useCase<FindDomains, FoundDomains>('domains:read', async (context, input) => {
  const { filter, size } = input;
  const all = domainsIn(context, { project: projectOf(context, input).metadata.name });
  const matching = all.filter(({ spec }) => spec.hostname.includes(filter.text));
  const now = context.dependencies.now();
  const views = await domainViews(context, matching);
  const named = matching.flatMap((object, index) => {
    const view = views[index];
    return view ? [ranked(situationOf(object, view, now))] : [];
  });
  const found = named
    .filter(({ status }) => filter.status === null || status === filter.status)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const pages = Math.max(1, Math.ceil(found.length / size));
  const page = Math.min(input.page, pages);
  const shown = found.slice((page - 1) * size, page * size);
  return {
    items: shown.map(({ situation }) => situation),
    page,
    pages,
    total: all.length,
    counts: countsOf(named),
    after: found[(page - 1) * size - 1]?.key ?? null,
    until: page === pages ? null : (shown.at(-1)?.key ?? null),
  };
});

function ranked(situation: DomainSituation): Ranked {
  const status = statusForCustomer(situation);
  return { situation, status, key: listKey(status, situation.domain.hostname) };
}

/** Where a domain stands in the list; the dashboard's script compares rows by the same key. */
const listKey = (status: CustomerStatus, hostname: string): string => `${customerStatuses.indexOf(status)} ${hostname}`;

function countsOf(domains: readonly Ranked[]): FoundDomains['counts'] {
  const countOf = (wanted: CustomerStatus) => domains.filter(({ status }) => status === wanted).length;
  return Object.fromEntries(customerStatuses.map((status) => [status, countOf(status)])) as FoundDomains['counts'];
}
