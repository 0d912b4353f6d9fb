import { acceptance } from '../../../model/acceptance.ts';
import type { Finding } from '../../../model/condition.ts';
import type { DomainSnapshot } from '../snapshot.ts';

/** The Accepted finding, by the rules that the REST API answers with too. */
export function accept({ settings, ...snapshot }: DomainSnapshot): Finding {
  return acceptance({ ...snapshot, platformDomains: [settings.platformDomain, settings.cnameDomain] });
}
