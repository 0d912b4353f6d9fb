import type { CaaProperty } from '../dns-facts.ts';
import type { CaaCode } from '../../rules/verdict-codes.ts';
import type { IssueValue } from './caa-profile.ts';
import { methodLabel, parseIssueValue, decisiveTag, closestRefusal } from './caa-profile.ts';
import type { CaIdentity } from './dns-verdict.ts';

/** The tags that RFC 8659 defines. Those registered later need not be known to an authority. */
const knownTags: readonly string[] = ['issue', 'issuewild', 'iodef'];

/** RFC 8659 section 4.1; the other flags are reserved and ignored. */
const criticalFlag = 128;

/** RFC 8659 section 4.1: a tag is letters and digits. */
const propertyTag = /^[a-z0-9]+$/;

/** RFC 8659 section 4.2. */
const issuerDomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/**
 * Null when every authority that follows RFC 8659 (sections 4.1 to 4.3) and RFC 8657 would issue by this record set,
 * otherwise why not. Where the RFCs leave a choice, this is the one that permits less.
 */
export function refusalByStrict(properties: readonly CaaProperty[], ca: CaIdentity): CaaCode | null {
  const isCriticalUnknown = ({ flags, tag }: CaaProperty) => (flags & criticalFlag) !== 0 && !knownTags.includes(tag);
  if (properties.some(isCriticalUnknown)) return 'CaaCriticalUnknown';
  const decisive = decisiveTag(properties, ca);
  const restricting = properties.filter(({ tag }) => tag === decisive || !propertyTag.test(tag));
  return closestRefusal(restricting.map((property) => refusalByProperty(property, ca)));
}

/** A malformed tag may have been meant as `issue`, and permits nobody. */
function refusalByProperty({ tag, value }: CaaProperty, ca: CaIdentity): CaaCode | null {
  const issue = propertyTag.test(tag) ? parseIssueValue(value) : null;
  if (issue === null) return 'CaaMalformed';
  const domain = issue.domain.toLowerCase();
  if (domain !== '' && !issuerDomain.test(domain)) return 'CaaMalformed';
  if (!ca.domains.some((ours) => ours.toLowerCase() === domain)) return 'CaaForbidsAuthority';
  return refusalByParameters(issue, ca);
}

/** Tags of parameters in any case; one that is given twice is satisfied by nothing (RFC 8657 section 3). */
function refusalByParameters({ parameters }: IssueValue, { accountUri, method }: CaIdentity): CaaCode | null {
  const given = new Map(parameters.map(({ tag, value }) => [tag.toLowerCase(), value]));
  if (given.size < parameters.length) return 'CaaMalformed';
  const account = given.get('accounturi');
  const methods = given.get('validationmethods');
  if (account !== undefined && account !== accountUri) return 'CaaForbidsAccount';
  return methods === undefined ? null : refusalByMethods(methods, method);
}

/** RFC 8657 section 4: the list may be empty, and every label has to be well formed. Names of methods have one case. */
function refusalByMethods(list: string, method: string | null): CaaCode | null {
  const labels = list === '' ? [] : list.split(',');
  if (!labels.every((label) => methodLabel.test(label))) return 'CaaMalformed';
  return method !== null && labels.includes(method) ? null : 'CaaForbidsMethod';
}
