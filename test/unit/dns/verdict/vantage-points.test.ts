import { describe, expect, it } from '@jest/globals';
import type { DnsFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns, DnsVerdict } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import type { Said } from '../../../support/dns-facts.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';
import { fc } from '../../../support/property.ts';

/**
 * What one vantage point finds, in a letter: **t**arget, **a**ddress and TXT record, address **w**ithout a TXT record,
 * target by **o**ne of two servers, **n**othing, **u**nknown, **c**AA forbids it, **s**ilent: no answer of the place.
 */
type Letter = 't' | 'a' | 'w' | 'o' | 'n' | 'u' | 'c' | 's';

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const challenge = `_projectdomain-challenge.${hostname}`;
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: challenge, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' },
};

const parents = (said: Said) => ['example.com', 'com'].map((parent) => name(parent, [{ CAA: said }, { CAA: said }]));

function found(first: Said, second: Said, more: { readonly txt?: Said; readonly caa?: Said } = {}): DnsFacts {
  const { txt = 'NX', caa = 'NODATA' } = more;
  const views = [first, second].map((said) => ({ ...addresses(said), CAA: caa }));
  return facts(hostname, [
    name(hostname, views),
    name(challenge, [{ TXT: txt }, { TXT: txt }]),
    ...parents(caa === 'timeout' ? caa : 'NODATA'),
  ]);
}

const right = ['projectdomain-verify=right'];
const findings: Readonly<Record<Exclude<Letter, 's'>, DnsFacts>> = {
  t: found(`-> ${target}`, `-> ${target}`),
  a: found(['203.0.113.10'], ['203.0.113.10'], { txt: right }),
  w: found(['203.0.113.10'], ['203.0.113.10']),
  o: found(`-> ${target}`, 'timeout'),
  n: found('NX', 'NX'),
  u: found('timeout', 'timeout', { caa: 'timeout', txt: 'timeout' }),
  c: found(`-> ${target}`, `-> ${target}`, { caa: ['0 issue "other.test"'] }),
};

const foundBy = (letter: string): DnsFacts | null => (letter === 's' ? null : findings[letter as 't']);

/** The verdict of these vantage points, the first of which is the local one. */
function look(letters: string, changes: Partial<DesiredDns> = {}, names = ['b', 'c', 'd', 'e']): DnsVerdict {
  const [local = 't', ...remote] = letters;
  const elsewhere = remote.map((letter, index) => ({ vantagePoint: names[index] ?? '', facts: foundBy(letter) }));
  const here = foundBy(local) ?? findings.u;
  return evaluateDns(elsewhere.length === 0 ? here : { ...here, elsewhere }, { ...wanted, ...changes });
}

const shown = ({ routing, ownership, caa, corroborated }: DnsVerdict): string =>
  `${[routing, ownership, caa].map(({ verdict }) => verdict).join(' ')}${corroborated ? ' corroborated' : ''}`;

/** Fails when one place of two is enough, a minority decides or stops, or a place that is silent counts as a yes. */
describe('what several vantage points find', () => {
  it.each<[letters: string, verdicts: string, code: string, why: string]>([
    ['t', 'yes yes yes corroborated', 'Verified', 'one place decides alone'],
    ['n', 'no no yes', 'RecordMissing', 'one place decides alone'],
    ['tt', 'yes yes yes corroborated', 'Verified', 'both agree'],
    ['nn', 'no no yes', 'RecordMissing', 'both agree'],
    ['uu', 'unknown unknown unknown', 'NoUsableAnswer', 'nobody knows'],
    ['tn', 'unknown unknown yes', 'VantagePointsDisagree', 'two of two are needed'],
    ['nt', 'unknown unknown yes', 'VantagePointsDisagree', 'nor does the remote one decide'],
    ['ts', 'unknown unknown unknown', 'VantagePointSilent', 'the second place is needed'],
    ['ns', 'unknown unknown unknown', 'VantagePointSilent', 'for a no too'],
    ['us', 'unknown unknown unknown', 'NoUsableAnswer', 'what is wrong with DNS comes first: it can be mended'],
    ['tu', 'unknown unknown unknown', 'NoUsableAnswer', 'the remote place knows nothing'],
    ['to', 'yes yes yes', 'Verified', 'one server alone is enough for a yes, and not for a proof'],
    ['tc', 'yes yes unknown corroborated', 'Verified', 'each question for itself'],
    ['tw', 'yes unknown yes', 'Verified', 'where one place sees addresses, that place wants the TXT record'],
    ['ta', 'yes yes yes corroborated', 'Verified', 'different proofs, each whole'],
    ['ttn', 'yes yes yes corroborated', 'Verified', 'two of three'],
    ['ntt', 'yes yes yes corroborated', 'Verified', 'the local place has no veto'],
    ['tnn', 'no no yes', 'RecordMissing', 'the local place decides nothing alone'],
    ['tts', 'yes yes yes corroborated', 'Verified', 'one of three may be down'],
    ['stt', 'yes yes yes corroborated', 'Verified', 'also the local one, if its network is'],
    ['tss', 'unknown unknown unknown', 'VantagePointSilent', 'two may not'],
    ['tns', 'unknown unknown yes', 'VantagePointsDisagree', 'one against one'],
    ['tun', 'unknown unknown yes', 'VantagePointsDisagree', 'one against one'],
    ['too', 'yes yes yes', 'Verified', 'only one of the three has proof'],
    ['tto', 'yes yes yes corroborated', 'Verified', 'two of the three have'],
    ['ttcc', 'yes yes unknown corroborated', 'Verified', 'two against two'],
    ['ttnn', 'unknown unknown yes', 'VantagePointsDisagree', 'two against two'],
    ['tttn', 'yes yes yes corroborated', 'Verified', 'three of four'],
    ['ttss', 'unknown unknown unknown', 'VantagePointSilent', 'two of four are not three'],
    ['nnnt', 'no no yes', 'RecordMissing', 'three of four'],
    ['tttnn', 'yes yes yes corroborated', 'Verified', 'three of five'],
  ])('%s: %s (%s), as %s', (letters, verdicts, code) => {
    const verdict = look(letters);
    expect([shown(verdict), verdict.routing.code]).toEqual([verdicts, code]);
  });

  it('is by addresses unless a majority sees the target', () => {
    expect(['tt', 'ta', 'aa', 'tta', 'taa'].map((letters) => look(letters).routing.by)).toEqual([
      'target',
      'addresses',
      'addresses',
      'target',
      'addresses',
    ]);
  });

  it('leaves CAA out where nobody asks about it, also where a place is silent', () => {
    expect(look('ts', { ca: null }).caa).toEqual({ verdict: 'yes', code: 'NotAsked' });
  });

  it('never takes another place’s word for the addresses of the target', () => {
    const lying = facts(hostname, [
      name(hostname, [addresses(['198.51.100.7'])]),
      name(target, [addresses(['198.51.100.7'])]),
    ]);
    const verdict = evaluateDns({ ...findings.n, elsewhere: [{ vantagePoint: 'b', facts: lying }] }, wanted);
    expect(verdict.targetAddresses).toEqual([]);
  });
});

/** Fails when another place's addresses count as asked, or as another server, because the local ones led to the token. */
describe('places that see a proxy through which a token came', () => {
  const proxied = (address: string) => found([address], [address], { txt: right });
  const seen = (remote: readonly string[], routedBy: 'token' | null) => {
    const elsewhere = remote.map((address, index) => ({ vantagePoint: `p${index}`, facts: proxied(address) }));
    const token = { answers: { '198.51.100.7': 'token' }, routedBy } as const;
    const { routing, corroborated } = evaluateDns({ ...proxied('198.51.100.7'), elsewhere }, { ...wanted, token });
    return [routing.verdict, routing.code, routing.by, corroborated];
  };

  it.each<[string, readonly string[], readonly unknown[]]>([
    ['at the same address agree', ['198.51.100.7', '198.51.100.7'], ['yes', 'Verified', 'token', true]],
    ['may be fewer than half at another one', ['198.51.100.7', '198.51.100.9'], ['yes', 'Verified', 'token', true]],
    ['mostly at others say nothing', ['198.51.100.8', '198.51.100.9'], ['unknown', 'BehindCdn', null, false]],
  ])('%s', (_, remote, expected) => {
    expect([seen(remote, null), seen(remote, 'token')]).toEqual([expected, expected]);
  });
});

describe('the issues', () => {
  const codes = (letters: string) => look(letters).issues.map(({ code }) => code);

  it('name each place with what it found, first where that leaves routing open', () => {
    const [first] = look('tn').issues;
    expect(first?.message).toBe(
      'www.example.com looks different from different places on the Internet ' +
        `(here: Verified, CNAME ${target}; b: RecordMissing)`,
    );
    expect(first?.record).toBe('');
  });

  it('tell the customer of a minority, after what is wrong by the majority', () => {
    expect(codes('ttw')).toEqual(['VantagePointsDisagree']);
    expect(codes('ttn')).toEqual(['VantagePointsDisagree']);
    expect(codes('nnt')[0]).toBe('RecordMissing');
    expect(codes('nnt').slice(1)).toContain('VantagePointsDisagree');
  });

  it('say which place is silent only where it is missed', () => {
    expect(
      look('tsn')
        .issues.map(({ message }) => message)
        .join(),
    ).not.toContain('gave no result');
    expect(codes('tts')).toEqual([]);
    expect(look('ts').issues).toEqual([
      expect.objectContaining({
        code: 'VantagePointSilent',
        message: 'the check of www.example.com from another place on the Internet gave no result (b: no result)',
      }),
    ]);
  });

  it('are those of a place that agrees with the verdict, the local one if it does', () => {
    expect(codes('nn')).toEqual(['RecordMissing']);
    expect(codes('tnn')).toContain('RecordMissing');
  });

  it('stay short, whatever is found', () => {
    const much = found(
      Array.from({ length: 64 }, (_, index) => `198.51.100.${index}`),
      'timeout',
    );
    const elsewhere = ['b', 'c', 'd', 'e'].map((vantagePoint) => ({ vantagePoint, facts: much }));
    const { issues } = evaluateDns({ ...findings.t, elsewhere }, wanted);
    expect(issues.every(({ message }) => message.length < 1_024)).toBe(true);
  });
});

const letter = fc.constantFrom<Letter>('t', 'a', 'w', 'o', 'n', 'u', 'c', 's');
const places = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''));

/** What a place alone says to a question. */
const alone = (one: string, question: 'routing' | 'ownership' | 'caa') =>
  one === 's' ? 'unknown' : look(one)[question].verdict;

describe('for any places', () => {
  it('a yes or a no has the votes of more than half of all, and an unknown has neither', () => {
    fc.assert(
      fc.property(places, fc.constantFrom('routing', 'ownership', 'caa'), (letters, question) => {
        const votes = [...letters].map((one) => alone(one, question));
        const winner = (['yes', 'no'] as const).find(
          (answer) => votes.filter((vote) => vote === answer).length > letters.length / 2,
        );
        expect(look(letters)[question].verdict).toBe(winner ?? 'unknown');
      }),
    );
  });

  it('errors come before warnings', () => {
    fc.assert(
      fc.property(places, (letters) => {
        const severities = look(letters).issues.map(({ severity }) => severity);
        expect(severities).toEqual(severities.toSorted());
      }),
    );
  });

  it('a proof is whole at more than half of them, each for itself', () => {
    fc.assert(
      fc.property(places, (letters) => {
        const proven = [...letters].filter((one) => one !== 's' && look(one).corroborated);
        expect(look(letters).corroborated).toBe(proven.length > letters.length / 2);
      }),
    );
  });

  it('one more place that fails never makes a yes or a no of what was none', () => {
    fc.assert(
      fc.property(
        places.filter((letters) => letters.length < 5),
        fc.constantFrom('s', 'u'),
        (letters, failing) => {
          const before = look(letters).routing.verdict;
          expect([before, 'unknown']).toContain(look(letters + failing).routing.verdict);
        },
      ),
    );
  });

  it('the order in which the remote ones are configured does not matter', () => {
    fc.assert(
      fc.property(places, fc.integer({ min: 1, max: 4 }), (letters, turn) => {
        const [local = '', ...remote] = letters;
        const names = ['b', 'c', 'd', 'e'].slice(0, remote.length);
        const by = turn % Math.max(1, remote.length);
        const turned = <T>(list: readonly T[]): T[] => [...list.slice(by), ...list.slice(0, by)];
        const other = look(local + turned(remote).join(''), {}, turned(names));
        expect(other).toEqual(look(letters, {}, names));
      }),
    );
  });
});
