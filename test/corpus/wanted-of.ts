import type { DesiredDns } from '../../src/dns/verdict/dns-verdict.ts';
import { challengeName } from '../../src/rules/desired-records.ts';
import type { CorpusName } from './corpus-name.ts';
import { cnameDomain, ownershipValue, platformAddresses, target } from './platform.ts';

/** What every name of the corpus should have in DNS. */
export function wantedOf({ txtRequired = false }: CorpusName, hostname: string): DesiredDns {
  const txtName = challengeName(hostname);
  return {
    hostname,
    target,
    cnameDomain,
    platformDomains: ['apps.platform.net'],
    platformAddresses,
    txt: txtName === null ? null : { name: txtName, value: ownershipValue },
    txtRequired,
    ca: { domains: ['ca.test'], accountUri: 'https://ca.test/acme/1', method: 'http-01', caaProfile: 'strict' },
  };
}
