import type { CaaProperty } from '../dns-facts.ts';
import type { CaaCode } from '../../rules/verdict-codes.ts';
import type { IssueValue } from './caa-profile.ts';
import { methodLabel, parseIssueValue, decisiveTag, closestRefusal } from './caa-profile.ts';
import type { CaIdentity } from './dns-verdict.ts';

/** All other tags are unknown, contactemail and contactphone among them (Boulder va/caa.go, filterCAA). */
const knownTags: readonly string[] = ['issue', 'issuewild', 'iodef', 'issuemail', 'issuevmc'];

/** 128 as in RFC 8659, and 1, which many mistake for it (Boulder va/caa.go, filterCAA). */
const criticalFlags = 128 | 1;

/** Null when Boulder would issue by this record set, otherwise why not (Boulder va/caa.go, validateCAA). */
export function refusalByBoulder(properties: readonly CaaProperty[], ca: CaIdentity): CaaCode | null {
  const isCriticalUnknown = ({ flags, tag }: CaaProperty) => (flags & criticalFlags) !== 0 && !knownTags.includes(tag);
  if (properties.some(isCriticalUnknown)) return 'CaaCriticalUnknown';
  const decisive = decisiveTag(properties, ca);
  const issue = properties.filter(({ tag }) => tag === decisive);
  return closestRefusal(issue.map(({ value }) => refusalByIssue(parseIssueValue(value), ca)));
}

/** The issuer domain is compared as it is written: neither its case nor its grammar is looked at (caaDomainMatches). */
function refusalByIssue(issue: IssueValue | null, ca: CaIdentity): CaaCode | null {
  if (issue === null) return 'CaaMalformed';
  if (!ca.domains.some((ours) => ours.toLowerCase() === issue.domain)) return 'CaaForbidsAuthority';
  return refusalByAccount(issue, ca) ?? refusalByMethod(issue, ca);
}

/** Tags of parameters are case-sensitive in Boulder. */
const valuesOf = ({ parameters }: IssueValue, wanted: string): readonly string[] =>
  parameters.filter(({ tag }) => tag === wanted).map(({ value }) => value);

/** Two accounts are satisfied by none (caaAccountURIMatches). */
function refusalByAccount(issue: IssueValue, { accountUri }: CaIdentity): CaaCode | null {
  const [account, ...more] = valuesOf(issue, 'accounturi');
  if (more.length > 0) return 'CaaMalformed';
  return account === undefined || account === accountUri ? null : 'CaaForbidsAccount';
}

/** Labels are read from the left, up to ours or to a malformed one (caaValidationMethodMatches). */
function refusalByMethod(issue: IssueValue, { method }: CaIdentity): CaaCode | null {
  const [list, ...more] = valuesOf(issue, 'validationmethods');
  if (more.length > 0) return 'CaaMalformed';
  if (list === undefined) return null;
  const decisive = list.split(',').find((label) => label === method || !methodLabel.test(label));
  if (decisive === undefined) return 'CaaForbidsMethod';
  return methodLabel.test(decisive) ? null : 'CaaMalformed';
}
