import { setImmediate } from 'node:timers/promises';
import type { UnknownCause } from '../../../src/dns/dns-facts.ts';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import type { Exchange } from '../../../src/dns/wire/dns-exchange.ts';
import type { Question, Response } from '../../../src/dns/wire/dns-message.ts';
import { decodeResponse } from '../../../src/dns/wire/dns-message.ts';
import { checkOf } from '../../../src/dns/verdict/desired-dns.ts';
import type { DesiredDns } from '../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { answerTo, floods, ownershipText } from '../dns-floods.ts';
import { delegate, empty, record, scriptedWorld, together } from '../scripted-exchange.ts';

/** Checks of a hostname whose thirteen name servers answer every question with a flood, and of one whose answers resolvers call forged. */

const hostname = 'www.example.com';
const ours = '8.9.9.9';
const [root, registry] = ['8.0.0.1', '8.0.1.1'];
const resolvers = ['8.1.1.1', '8.1.1.2'];
const theirs = Array.from({ length: 13 }, (_, index) => `8.8.1.${index + 1}`);

const wanted: DesiredDns = {
  hostname,
  target: 'p-x.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: [],
  platformAddresses: [ours],
  txt: { name: `_projectdomain-challenge.${hostname}`, value: ownershipText },
  txtRequired: true,
  ca: { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' },
};

export const families = Object.keys(floods);

const made = new Map<string, Buffer>();
let lastTurn: Promise<void> = Promise.resolve();

/** Each answer comes in a turn of its own, as from a socket; making it is not what is measured. */
async function flooded(
  family: string,
  { question, server }: { readonly question: Question; readonly server: number },
  { allowance }: Pick<Parameters<Exchange>[2], 'allowance'>,
): Promise<Response | UnknownCause> {
  const make = floods[family] ?? (() => ({}));
  // What is the same for all servers is made once.
  const key = [family, make.length > 1 ? server : 'all', question.name, question.type].join(' ');
  const bytes = made.get(key) ?? answerTo(question, 7, make(question, server));
  made.set(key, bytes);
  await (lastTurn = lastTurn.then(() => setImmediate()));
  allowance.answered();
  if (!allowance.bytes(bytes.length)) return 'bounds-exceeded';
  return decodeResponse(bytes, 7, question) ?? 'timeout';
}

/** One check, and its verdict. */
export async function check(family: string, isForged: boolean): Promise<void> {
  const named = theirs.map((address, index) => `ns${index}.example.com=${address}`);
  const servers = scriptedWorld({
    [root]: together(delegate('com', `a.registry.test=${registry}`), () => empty),
    [registry]: (question) => (question.name === 'com' ? empty : delegate('example.com', ...named)(question)),
    ...Object.fromEntries(
      resolvers.map((address) => [
        address,
        ({ dnssec, name, type }: { dnssec?: string; name: string; type: string }) =>
          dnssec === 'checking'
            ? { ...empty, rcode: 'SERVFAIL' }
            : { ...empty, answers: type === 'A' ? [record(name, 'A', ours)] : [] },
      ]),
    ),
  });
  const exchange: Exchange = (server, question, options) => {
    if (!theirs.includes(server.address)) return servers.exchange(server, question, options);
    const honest = isForged && question.dnssec !== 'signed' && question.type === 'A' && question.name === hostname;
    if (honest) return Promise.resolve({ ...empty, authoritative: true, answers: [record(hostname, 'A', ours)] });
    return flooded(family, { question, server: theirs.indexOf(server.address) }, options);
  };
  const endpoint = (address: string) => ({ address, port: 53 });
  const dns = createDnsChecker(
    { roots: [endpoint(root)], resolvers: resolvers.map(endpoint), permitted: [] },
    exchange,
  );
  evaluateDns(await dns.check(checkOf(wanted), new AbortController().signal), wanted);
}
