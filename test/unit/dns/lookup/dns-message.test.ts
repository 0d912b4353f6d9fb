import { describe, expect, it } from '@jest/globals';
import type { Answer } from 'dns-packet';
import { AUTHORITATIVE_ANSWER, encode } from 'dns-packet';
import type { Question } from '../../../../src/dns/wire/dns-message.ts';
import {
  decodeResponse,
  encodeQuestion,
  hasSameSpelling,
  messageLimits,
  withRandomCase,
} from '../../../../src/dns/wire/dns-message.ts';
import { readName, writeName } from '../../../../src/dns/wire/wire-name.ts';
import { fc } from '../../../support/property.ts';

const question: Question = { name: 'www.example.com', type: 'A', recursive: false };

function message(answers: readonly Answer[], id = 7): Buffer {
  return encode({
    type: 'response',
    id,
    flags: AUTHORITATIVE_ANSWER,
    questions: [{ name: question.name, type: 'A', class: 'IN' }],
    answers: [...answers],
  });
}

const read = (answers: readonly Answer[]) => {
  const response = decodeResponse(message(answers), 7, question);
  return typeof response === 'string' || response === null ? response : response.answers.map(({ value }) => value);
};

describe('records as text', () => {
  const name = question.name;
  it.each<[string, Answer, string]>([
    ['an IPv4 address', { type: 'A', name, data: '192.0.2.1' }, '192.0.2.1'],
    ['an IPv6 address in its shortest form', { type: 'AAAA', name, data: '2001:db8:0:0:0:0:0:1' }, '2001:db8::1'],
    ['a name in lower case', { type: 'CNAME', name, data: 'WWW.Example.ORG' }, 'www.example.org'],
    ['strings of a text as one', { type: 'TXT', name, data: ['ab', 'cd'] }, 'abcd'],
    ['quotes and backslashes of a text', { type: 'TXT', name, data: 'a"b\\c' }, 'a\\"b\\\\c'],
    ['bytes of a text that are not ASCII', { type: 'TXT', name, data: 'é\u001b' }, '\\195\\169\\027'],
    [
      'no more of a text than people read',
      { type: 'TXT', name, data: Array.from({ length: 8 }, () => 'x'.repeat(250)) },
      `${'x'.repeat(1024)}...`,
    ],
    ['a CAA', { type: 'CAA', name, data: { flags: 128, tag: 'issue', value: 'ca.test' } }, '128 issue "ca.test"'],
  ])('%s', (_, answer, value) => {
    expect(read([answer])).toEqual([value]);
  });

  it('as many of a set as are read, and not one more', () => {
    const set = (count: number) =>
      Array.from({ length: count }, (_, index): Answer => ({ type: 'A', name, data: `192.0.2.${index}` }));
    expect(read(set(messageLimits.recordsPerSet))).toHaveLength(messageLimits.recordsPerSet);
    expect(read(set(messageLimits.recordsPerSet + 1))).toBe('bounds-exceeded');
  });
});

describe('names', () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 20 });
  const wire = fc
    .array(label, { maxLength: 8 })
    .map((labels) => Buffer.from([...labels.flatMap((one) => [one.length, ...one]), 0]));

  it('are the same text exactly if they are the same bytes but for ASCII case, and are printable', () => {
    const folded = (bytes: Buffer) => bytes.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    fc.assert(
      fc.property(wire, wire, (one, other) => {
        const [first, second] = [readName(one, 0).name, readName(other, 0).name];
        expect(first === second).toBe(folded(one) === folded(other));
        expect(first).toMatch(/^[\x21-\x7e]*$/);
        expect(writeName(first)?.toString('latin1')).toBe(folded(one));
      }),
    );
  });

  it('with a dot in a label do not lie in the zone that they seem to', () => {
    const { name } = readName(Buffer.from('\u0009x.example\u0003com\0', 'latin1'), 0);
    expect(name).toBe('x\\046example.com');
  });

  it.each([
    ['points to itself', [0xc0, 0]],
    ['points forwards', [0xc0, 4, 0, 0, 1, 97, 0]],
    ['is cut off', [3, 97]],
    ['is too long', Array.from({ length: 130 }, () => [1, 97]).flat()],
    ['has a label of a kind that is none', [0x80, 0]],
  ])('a name that %s is refused', (_, bytes) => {
    expect(() => readName(Buffer.from(bytes), 0)).toThrow();
  });
});

describe('whatever bytes come', () => {
  const records: Answer[] = [
    { type: 'CNAME', name: question.name, data: 'far.example.org' },
    { type: 'A', name: 'far.example.org', data: '192.0.2.1' },
    { type: 'TXT', name: question.name, data: ['a', 'b'] },
    { type: 'CAA', name: question.name, data: { flags: 0, tag: 'issue', value: 'ca.test' } },
    {
      type: 'SOA',
      name: 'example.com',
      data: { mname: 'a.test', rname: 'b.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
    },
  ];
  const whole = message(records);

  it('a mangled message is an answer, or malformed, or too much, or nothing; never an exception', () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(whole.length), (changes, length) => {
        const bytes = Buffer.from(whole.subarray(0, length % 7 === 0 ? length : whole.length));
        for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
        const response = decodeResponse(bytes, 7, question);
        outcomes.add(response === null ? 'nothing' : typeof response === 'string' ? response : 'answer');
      }),
      { numRuns: 20_000 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['answer', 'malformed', 'nothing']));
  });

  it('random bytes are nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(decodeResponse(Buffer.from(bytes), 7, question)).toBeNull();
      }),
    );
  });
});

describe('a question', () => {
  it('is told by its spelling, and an answer in another one is recognised', () => {
    const query = encodeQuestion({ name: 'a-rather-long-hostname.example.com', type: 'A', recursive: false });
    const asked = withRandomCase(query);
    expect(asked.bytes.equals(query.bytes)).toBe(false);
    expect(hasSameSpelling(asked.bytes, asked)).toBe(true);
    expect(hasSameSpelling(query.bytes, asked)).toBe(false);
  });

  it('that does not fit on the wire is not made', () => {
    expect(() => encodeQuestion({ name: 'a.'.repeat(130), type: 'A', recursive: false })).toThrow(RangeError);
  });
});
