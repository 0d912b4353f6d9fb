import { hash } from 'node:crypto';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { headOfDomain } from '../rules/domain-head.ts';
import type { DomainLabels } from '../rules/domain-labels.ts';
import type { ReportedNeed } from './reported-domain.ts';
import { reportedNeed } from './reported-domain.ts';

/** What the API server keeps of each domain beside the packed whole, to filter lists by. */
export interface ListedHead extends DomainHead, Partial<ReportedNeed> {
  /** marks of its labels; absent without any */
  readonly labels?: string;
}

export function headOfListed(domain: ProjectDomain): ListedHead {
  const { labels } = domain.spec;
  const marked = labels === undefined ? {} : { labels: marksOf(labels) };
  return { ...headOfDomain(domain), ...reportedNeed(domain), ...marked };
}

/** Of 64 bits, in a string of one byte per character: labels take 16 bytes each, however long they are. */
const markCharacters = 8;

/** `text`: the name of a label, or name and value with a colon between them, which no name contains. */
const markOf = (text: string): string => hash('sha256', text, 'buffer').toString('latin1', 0, markCharacters);

const marksOf = (labels: DomainLabels): string =>
  Object.entries(labels)
    .map(([name, value]) => markOf(name) + markOf(`${name}:${value}`))
    .join('');

/** Whether a domain has a label: `customer` whatever its value, `customer:cus_123` with this one. */
export function labelled(text: string): (head: Pick<ListedHead, 'labels'>) => boolean {
  const mark = markOf(text);
  return ({ labels }) => labels?.includes(mark) ?? false;
}
