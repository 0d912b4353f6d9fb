import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { addressRule } from '../../../src/dns/lookup/address-safety.ts';
import type { DesiredDns } from '../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { createTokenLimits } from '../../../src/routing/token-probe/token-limits.ts';
import { createTokenProbe } from '../../../src/routing/token-probe/token-probe.ts';
import { tokenPath } from '../../../src/rules/domain-token.ts';
import { recordValues } from '../../../src/rules/dns-target.ts';
import { HostnameClaimKind } from '../../../src/resources/kinds.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import type { EdgeServer } from '../../support/edge-server.ts';
import { startEdgeServer } from '../../support/edge-server.ts';
import { domain, snapshot } from '../../support/snapshot.ts';
import { systemClock } from '../../../src/lib/clock.ts';

/**
 * A tenant reads its token from its own status and has a web server of its own answer with it, or with what else it has, for
 * a hostname whose zone is somebody else's.
 */

const values = recordValues(Buffer.alloc(32, 7), 'cname.apps.example.net');
const subject = { accountId: 'attacker', hostname: 'www.victim.example', epoch: 1, uid: 'u-1' };
const token = values.token(subject);
const signal = new AbortController().signal;

let copied: Readonly<Record<string, string>> = {};
let server: EdgeServer;

beforeAll(async () => {
  server = await startEdgeServer((_, { url = '' }, response) => {
    const answer = copied[url.slice(tokenPath.length)] ?? copied.any;
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
});

afterAll(() => server.stop());

const ask = async () => {
  const probe = createTokenProbe({
    isAllowed: addressRule(['127.0.0.0/8']),
    limits: createTokenLimits(() => false, systemClock.elapsed),
    platformDomain: 'apps.example.net',
    ports: server.ports,
  });
  const { hostname } = subject;
  const answers = await probe.ask({ hostname, token, addresses: [server.address], payer: 'attacker' }, signal);
  return answers[server.address];
};

describe('a server that is not the platform’s', () => {
  it.each<[string, typeof subject]>([
    ['of another account', { ...subject, accountId: 'victim' }],
    ['of another hostname', { ...subject, hostname: 'victim.example' }],
    ['from before a transfer', { ...subject, epoch: 0 }],
    ['of an object that was removed', { ...subject, uid: 'u-0' }],
  ])('does not pass with a token %s', async (_, other) => {
    const former = values.token(other);
    copied = { any: former.answer, [former.nonce]: former.answer };
    expect(await ask()).toBe('other');
  });

  it('does not pass by repeating what it is asked, nor with what the ownership record says', async () => {
    for (const any of [token.nonce, `${tokenPath}${token.nonce}`, values.ownership(subject)]) {
      copied = { any };
      expect(await ask()).toBe('other');
    }
  });
});

const wanted: DesiredDns = {
  hostname: 'www.example.com',
  target: 'p-mine.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: [],
  platformAddresses: ['203.0.113.10'],
  txt: { name: '_projectdomain-challenge.www.example.com', value: 'projectdomain-verify=mine' },
  txtRequired: false,
  ca: null,
};

describe('a server that passes with the tenant’s own token', () => {
  it('gives it no claim, as the zone does not have its TXT record', async () => {
    copied = { any: token.answer };
    expect(await ask()).toBe('token');
    const seen = facts('www.example.com', [
      name('www.example.com', [addresses([server.address]), addresses([server.address])]),
      name('_projectdomain-challenge.www.example.com', [{ TXT: 'NX' }, { TXT: ['projectdomain-verify=theirs'] }]),
    ]);
    const answers = { [server.address]: 'token' } as const;
    const verdict = evaluateDns(seen, { ...wanted, token: { answers, routedBy: null } });
    expect(verdict.routing).toMatchObject({ verdict: 'yes', by: 'token' });
    expect(verdict.ownership.verdict).toBe('no');
    const attacker = domain();
    const { writes } = decideProjectDomain(
      snapshot({ domain: attacker, verdict, checkStatus: readCheckStatus(attacker) }),
    );
    expect(writes.filter(({ kind }) => kind === HostnameClaimKind)).toEqual([]);
  });
});
