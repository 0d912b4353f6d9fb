import type { CaaAnswer, CaaInput, CaaRecord } from './caa-case.ts';
import { accountUri, issuer } from './caa-case.ts';
import { fc } from '../support/property.ts';

const oneOf = (...values: readonly string[]) => fc.constantFrom(...values);
const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const bytes = fc.string({ unit: byte, maxLength: 12 });
const some = (text: fc.Arbitrary<string>, max: number) =>
  fc.array(text, { maxLength: max }).map((list) => list.join(''));
const often = (common: fc.Arbitrary<string>, rare: fc.Arbitrary<string>, weight = 8) =>
  fc.oneof({ arbitrary: common, weight }, { arbitrary: rare, weight: 1 });

const blanks = often(oneOf('', '', ' ', '\t', '  '), oneOf('\n', '\r', '\v', '\f', '\xa0', '\0'), 30);
const domains = often(
  fc.constant(issuer),
  fc.oneof(oneOf('ca.test', '', 'LetsEncrypt.org', `${issuer}.`, `.${issuer}`, '%%'), bytes),
  4,
);

const methods = oneOf('http-01', 'dns-01', 'tls-alpn-01', 'dns-account-01', 'dns-persist-01');
const labels = often(methods, fc.oneof(oneOf('', 'HTTP-01', 'future-1', 'a_b', '-', ' http-01', 'ca-http-01'), bytes));
const methodList = fc.array(labels, { maxLength: 4 }).map((list) => list.join(','));
const accounts = often(
  fc.constant(accountUri),
  fc.oneof(oneOf(`${accountUri}0`, accountUri.toUpperCase(), '', '%', `${accountUri}/`), bytes),
  3,
);

const parameter = fc.oneof(
  {
    arbitrary: fc.tuple(often(fc.constant('accounturi'), oneOf('AccountURI', 'account-uri', 'ACCOUNTURI')), accounts),
    weight: 3,
  },
  {
    arbitrary: fc.tuple(
      often(fc.constant('validationmethods'), oneOf('ValidationMethods', 'validationmethod')),
      methodList,
    ),
    weight: 4,
  },
  {
    arbitrary: fc.tuple(oneOf('a', 'policy', 'a-b', 'a_b', '-a', ''), often(oneOf('b', 'ev', '', 'a=b'), bytes)),
    weight: 1,
  },
);
const equals = often(
  fc.constant('='),
  fc.tuple(blanks, oneOf('=', '==', ''), blanks).map((parts) => parts.join('')),
);
const written = fc
  .tuple(blanks, parameter, equals, blanks)
  .map(([before, [tag, value], sign, after]) => `${before}${tag}${sign}${value}${after}`);
const tail = often(fc.constant(''), oneOf(';', '; ', ';;', '; ;'));

/** Close to the grammar of RFC 8659 section 4.2, or of the words that it is made of, or of any bytes. */
const value = fc.oneof(
  {
    arbitrary: fc
      .tuple(blanks, domains, blanks, fc.array(written, { maxLength: 3 }), tail)
      .map(
        ([before, domain, after, parameters, end]) =>
          `${before}${[`${domain}${after}`, ...parameters].join(';')}${end}`,
      ),
    weight: 8,
  },
  {
    arbitrary: some(
      oneOf(issuer, ';', ' ', '\t', '=', ',', 'accounturi', accountUri, 'validationmethods', 'http-01', 'a', '\n'),
      9,
    ),
    weight: 2,
  },
  { arbitrary: bytes, weight: 1 },
);

const knownTag = oneOf(
  'issue',
  'issue',
  'issue',
  'issue',
  'issue',
  'Issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
);
const otherTag = fc.oneof(
  oneOf('contactemail', 'contactphone', 'future', 'issue ', 'is-sue'),
  fc.string({ unit: byte, minLength: 1, maxLength: 8 }),
);
const flags = fc.oneof(
  { arbitrary: fc.constantFrom(0, 0, 0, 0, 1, 128), weight: 4 },
  { arbitrary: fc.integer({ min: 0, max: 255 }), weight: 1 },
);
const cutShort: CaaRecord = '0009697373';
const record: fc.Arbitrary<CaaRecord> = fc.oneof(
  { arbitrary: fc.tuple(flags, knownTag, value), weight: 40 },
  { arbitrary: fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 128), otherTag, value), weight: 4 },
  { arbitrary: fc.constant(cutShort), weight: 1 },
);

const hostnames = oneOf('example.com', 'www.example.com', 'a.www.example.com', 'www.example.co.uk');
const elsewhere = ['a.test', 'b.test', 'c.test'] as const;

const answer: fc.Arbitrary<CaaAnswer> = fc.oneof(
  { arbitrary: fc.constant([]), weight: 8 },
  { arbitrary: fc.array(record, { minLength: 1, maxLength: 4 }), weight: 12 },
  { arbitrary: oneOf(...elsewhere, 'example.com', 'com').map((alias) => ({ alias })), weight: 2 },
  { arbitrary: fc.constant<CaaAnswer>('nxdomain'), weight: 2 },
  { arbitrary: fc.constant<CaaAnswer>('servfail'), weight: 1 },
);

/** No tag is empty: what that means differs (test/caa/cases/malformed-data.ts). */
const input: fc.Arbitrary<CaaInput> = fc
  .tuple(hostnames, fc.array(answer, { minLength: 7, maxLength: 7 }), often(fc.constant('http-01'), methods, 4))
  .map(([hostname, answers, method]) => {
    const labels = hostname.split('.');
    const names = [...labels.map((_, index) => labels.slice(index).join('.')), ...elsewhere];
    return { hostname, method, names: Object.fromEntries(names.map((name, index) => [name, answers[index] ?? []])) };
  });

export const generateCases = (count: number, seed: number): readonly CaaInput[] =>
  fc.sample(input, { numRuns: count, seed });
