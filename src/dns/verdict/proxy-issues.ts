import type { IssueAct } from '../../rules/issue-acts.ts';
import { cdnOf } from '../../rules/cdn-ranges.ts';
import type { TokenAnswer } from '../../rules/domain-token.ts';
import type { ProxyCode } from '../../rules/verdict-codes.ts';
import { issue } from './dns-issue.ts';
import type { DnsIssue } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { placeOf } from './issue-subject.ts';
import { tokenAddresses } from './platform-addresses.ts';

/** What stands in front of a hostname and does not lead here, with what to change there. */
export function proxyIssue(subject: IssueSubject, code: ProxyCode): DnsIssue {
  const { facts, wanted } = subject;
  const addresses = tokenAddresses(facts, wanted);
  const names = new Map(addresses.map((address) => [address, cdnOf(address, wanted.cdnRanges)]));
  const cdn = [...names.values()].find((name) => name !== null) ?? '';
  const servers = addresses.map((address) => ({
    server: names.get(address) ?? 'server',
    address,
    answer: answers[wanted.token?.answers[address] ?? 'busy'],
  }));
  return issue(
    code,
    { ...placeOf(subject, wanted.hostname), cdn, target: wanted.target },
    { act: acts[code], servers },
  );
}

const acts: Readonly<Record<ProxyCode, IssueAct>> = {
  BehindCdn: 'RouteThroughCdn',
  CdnForbids: 'AllowRequests',
  CdnRedirectLoop: 'UseHttpsToOrigin',
  CdnNeedsOriginCertificate: 'SkipOriginVerification',
};

const answers: Readonly<Record<TokenAnswer, string>> = {
  token: 'leads here',
  other: 'another server answered',
  forbidden: 'refused our request',
  redirectLoop: 'redirected in a circle',
  originCertificate: "refused the platform's certificate",
  failing: 'answered with an error',
  silent: 'did not answer',
  busy: 'not asked yet',
  notAllowed: 'has an address that is not public',
};
