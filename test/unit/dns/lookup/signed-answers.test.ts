import { describe, expect, it } from '@jest/globals';
import type { Question } from '../../../../src/dns/wire/dns-message.ts';
import { decodeResponse, encodeQuestion } from '../../../../src/dns/wire/dns-message.ts';
import { signedSets, keysIn, signersIn } from '../../../../src/dns/lookup/zone-signing.ts';
import { types } from '../../../../src/dns/wire/dnssec-records.ts';
import { empty } from '../../../support/scripted-exchange.ts';
import { fc } from '../../../support/property.ts';

/** Questions about DNSSEC on the wire, and hostile answers to them. Real signatures: test/corpus/dnssec. */

const question: Question = { name: 'www.example.com', type: 'A', recursive: true, dnssec: 'checking' };
const bits = (asked: Question) => {
  const { bytes } = encodeQuestion(asked);
  return { cd: (bytes.readUInt16BE(2) & 0x10) !== 0, dnssecOk: (bytes.readUInt16BE(bytes.length - 4) & 0x8000) !== 0 };
};

describe('a question', () => {
  it.each<[string, Question, ReturnType<typeof bits>]>([
    ['without DNSSEC', { name: 'a.test', type: 'A', recursive: false }, { cd: false, dnssecOk: false }],
    ['that a resolver validates', question, { cd: false, dnssecOk: true }],
    ['that it does not validate', { ...question, dnssec: 'unchecked' }, { cd: true, dnssecOk: true }],
    ['for keys', { ...question, type: 'DNSKEY', dnssec: 'signed' }, { cd: false, dnssecOk: true }],
  ])('%s', (_, asked, expected) => {
    expect(bits(asked)).toEqual(expected);
  });
});

/** SERVFAIL to the question with an OPT record that has these options. */
function failure(options: Buffer): Buffer {
  const { id, bytes } = encodeQuestion(question);
  const body = bytes.subarray(0, bytes.length - 2);
  const length = Buffer.from([options.length >> 8, options.length & 0xff]);
  const message = Buffer.concat([body, length, options]);
  message.writeUInt16BE(0x8182, 2);
  message.writeUInt16BE(id, 0);
  return message;
}

describe('extended errors', () => {
  const read = (options: Buffer) => {
    const message = failure(options);
    const response = decodeResponse(message, message.readUInt16BE(0), question);
    return typeof response === 'object' ? (response?.extendedErrors ?? []) : response;
  };
  it.each<[string, readonly number[], readonly number[]]>([
    ['one with text', [0, 15, 0, 3, 0, 7, 65], [7]],
    ['two, with another option between them', [0, 15, 0, 2, 0, 9, 0, 10, 0, 1, 1, 0, 15, 0, 2, 0, 22], [9, 22]],
    ['none', [], []],
    ['one that is cut off', [0, 15, 0, 2, 0], []],
    ['one without a code', [0, 15, 0, 0], []],
  ])('%s', (_, options, codes) => {
    expect(read(Buffer.from(options))).toEqual(codes);
  });
});

const record = (type: number, rdata: Buffer) => ({ name: 'example.com', type, rdata });
const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array));

describe('data that anybody may send', () => {
  it('is read without an exception', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const signers = signersIn([record(types.DS, data)], 'example.com');
        keysIn([record(types.DNSKEY, data)], 'example.com', signers);
        const response = { ...empty, signed: [record(1, Buffer.alloc(4)), record(types.RRSIG, data)] };
        expect(signedSets('example.com', { name: 'example.com', type: 'A' }, response)).toHaveLength(1);
      }),
      { numRuns: 5_000 },
    );
  });
});
