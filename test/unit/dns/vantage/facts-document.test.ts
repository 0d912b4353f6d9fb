import { describe, expect, it } from '@jest/globals';
import { checkLimits } from '../../../../src/dns/lookup/check-budget.ts';
import { maxAliases, followedNames } from '../../../../src/dns/observed-records.ts';
import { readFacts, writeFacts } from '../../../../src/dns/vantage/check-documents.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { facts, name } from '../../../support/dns-facts.ts';
import { hostname, target } from '../../../support/vantage.ts';

/** What a place may say of DNS: as much as a check can find, and no more than can be evaluated in no time. */

const other = (index: number) => (index === 0 ? hostname : `n${index}.example.com`);

/** Names with as many sources each, every one of which has an alias to another name; one leads to the target. */
function web(names: number, sources: number) {
  const all = Array.from({ length: names }, (_, at) =>
    name(
      other(at),
      Array.from({ length: sources }, (_view, by) => ({
        A: `-> ${at === 0 && by === 0 ? target : other(((at * sources + by) % (names - 1)) + 1)}`,
      })),
    ),
  );
  return facts(hostname, all);
}

const read = (names: number, sources: number) => readFacts(writeFacts(web(names, sources)), hostname);

describe('a document', () => {
  it('is read with twice the servers of a zone at one name, as two zones may be found there', () => {
    expect(read(2, 2 * checkLimits.serversPerZone)).toEqual(web(2, 2 * checkLimits.serversPerZone));
  });

  it('is refused with more sources than any check has', () => {
    expect(read(2, 64)).toBeNull();
  });
});

/** Fails when all aliases of a web are followed once more for each source: that took nine seconds. */
describe('a web of aliases', () => {
  const largest = web(128, 32);

  it('is followed as far as a chain is, in the order in which it is found', () => {
    const whole = [hostname, target, ...Array.from({ length: 31 }, (_, index) => other(index + 2))];
    expect([...followedNames(largest, hostname, ['A'])]).toEqual(whole.slice(0, maxAliases + 1));
  });

  it('costs few looks at a name to evaluate', () => {
    let looks = 0;
    const names = new Proxy(largest.names, {
      get: (of, key) => {
        looks += 1;
        return of[String(key)];
      },
    });
    const verdict = evaluateDns(
      { ...largest, names },
      {
        hostname,
        target,
        cnameDomain: 'cname.apps.example.net',
        platformDomains: [],
        platformAddresses: [],
        txt: null,
        txtRequired: false,
        ca: null,
      },
    );
    expect(verdict.routing.verdict).toBe('unknown');
    expect(looks).toBeLessThan(200_000);
  });
});
