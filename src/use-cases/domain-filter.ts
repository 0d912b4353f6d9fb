import { kebabCase } from '../rules/kebab-case.ts';
import type { DomainRole, ViewedDomain } from './domain-view.ts';
import { roleOf, situationOf, statusForCustomer } from './domain-view.ts';
import type { ListedHead } from './listed-head.ts';
import { labelled } from './listed-head.ts';
import { unicodeOf } from './unicode-hostname.ts';

/** Which domains a list has. States and reasons are in kebab-case; of several states or reasons any will do, of several labels all are needed. */
export interface DomainCriteria {
  readonly state?: readonly string[] | undefined;
  readonly reason?: readonly string[] | undefined;
  readonly role?: DomainRole | undefined;
  /** part of the hostname, in A-labels or in Unicode */
  readonly q?: string | undefined;
  /** each `name`, or `name:value` */
  readonly label?: readonly string[] | undefined;
  /** the customer has to act before the domain can go live, as the dashboard's "Needs action" */
  readonly needsAction?: boolean | undefined;
}

export interface DomainMatch {
  /** Null where only its view tells. */
  ofHead(head: ListedHead): boolean | null;
  /** For those. `now` in milliseconds since the Unix epoch. */
  ofView(viewed: ViewedDomain, now: number): boolean;
}

/** Takes what is filtered by apart once, for very many domains. */
export function domainMatch({ state, reason, role, q, label = [], needsAction }: DomainCriteria): DomainMatch {
  const isNamed = q === undefined ? () => true : hostnameContains(q);
  const labels = label.map(labelled);
  const [isInState, hasReason] = [anyOf(state), anyOf(reason)];
  const isOfStatus = state !== undefined || reason !== undefined || needsAction !== undefined;
  const isOfSuchStatus = ({ status, reason: reported, needsAction: needs }: ListedHead): boolean | null => {
    // The operator has said nothing of it yet.
    if (status?.state === undefined || reported === undefined) return null;
    if (!isInState(status.state) || !hasReason(reported)) return false;
    if (needsAction === undefined) return true;
    return needs === undefined ? null : needs === needsAction;
  };
  return {
    ofHead(head) {
      const { spec } = head;
      if (!isNamed(spec.hostname) || (role !== undefined && roleOf(spec) !== role)) return false;
      if (!labels.every((isLabelled) => isLabelled(head))) return false;
      return !isOfStatus || isOfSuchStatus(head);
    },
    ofView(viewed, now) {
      const { view } = viewed;
      if (!isInState(view.state) || !hasReason(view.reason)) return false;
      return needsAction === undefined || isActionNeeded(viewed, now) === needsAction;
    },
  };
}

const isActionNeeded = (viewed: ViewedDomain, now: number): boolean =>
  statusForCustomer(situationOf(viewed, now)) === 'NeedsAction';

/** Whether a word of a resource is among words in kebab-case; true where there are none. Each is translated once. */
function anyOf(wanted: readonly string[] | undefined): (word: string) => boolean {
  if (wanted === undefined) return () => true;
  const known = new Map<string, boolean>();
  return (word) => {
    const is = known.get(word) ?? wanted.includes(kebabCase(word));
    known.set(word, is);
    return is;
  };
}

/** Whether a hostname contains what people type of it, in A-labels or in Unicode, in any case. */
export function hostnameContains(typed: string): (hostname: string) => boolean {
  const text = typed.normalize().toLowerCase();
  return (hostname) => hostname.includes(text) || (unicodeOf(hostname)?.includes(text) ?? false);
}
