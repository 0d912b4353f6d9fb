import { describe, expect, it } from '@jest/globals';
import type { Question } from '../../../../src/dns/lookup/dns-message.ts';
import { decodeResponse, encodeQuestion } from '../../../../src/dns/lookup/dns-message.ts';
import { denialProof, hashBudget } from '../../../../src/dns/lookup/denial-proof.ts';
import type { KeyData } from '../../../../src/dns/lookup/dnssec-rdata.ts';
import { readKey, readSignature, readSigner } from '../../../../src/dns/lookup/dnssec-rdata.ts';
import { keysIn, signatureBudget, signedSets, zoneKeys } from '../../../../src/dns/lookup/signed-sets.ts';
import type { SignedRecord } from '../../../../src/dns/lookup/signed-section.ts';
import { types } from '../../../../src/dns/lookup/signed-section.ts';
import { writeName } from '../../../../src/dns/lookup/wire-name.ts';
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

const record = (type: number, rdata: Buffer, name = 'example.com'): SignedRecord => ({ name, type, ttl: 60, rdata });
const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array));

describe('data that anybody may send', () => {
  it('is read without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(types.NSEC, types.NSEC3), async (data, type) => {
        readKey(data);
        readSigner(data);
        readSignature(data);
        denialProof([record(type, data)], { name: 'example.com', type: 257 }, hashBudget());
        const signing = {
          zone: 'example.com',
          keys: keysIn([record(types.DNSKEY, data)], 'example.com'),
          signers: [],
          delegated: new Set<KeyData>(),
          budget: signatureBudget(),
        };
        zoneKeys(signing);
        const response = { ...empty, signed: [record(1, Buffer.alloc(4)), record(types.RRSIG, data)] };
        await signedSets(signing, { name: 'example.com', type: 'A' }, response);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is verified a bounded number of times, however many keys have the tag of however many signatures (KeyTrap)', async () => {
    const zoneKey = Buffer.concat([Buffer.from([1, 1, 3, 13]), Buffer.alloc(64, 1)]);
    const keys = Array.from({ length: 100 }, () => record(types.DNSKEY, zoneKey));
    const read = keysIn(keys, 'example.com');
    const tag = read[0]?.keyTag ?? 0;
    const fixed = Buffer.from([0, 1, 13, 2, 0, 0, 0, 60, 0xff, 0, 0, 0, 0, 0, 0, 0, tag >> 8, tag & 0xff]);
    const rrsig = Buffer.concat([fixed, writeName('example.com') ?? Buffer.alloc(0), Buffer.alloc(64, 2)]);
    const signed = [record(1, Buffer.alloc(4)), ...Array.from({ length: 100 }, () => record(types.RRSIG, rrsig))];
    let asked = 0;
    const real = signatureBudget();
    let granted = 0;
    const budget = () => {
      asked += 1;
      const may = real();
      granted += may ? 1 : 0;
      return may;
    };
    const signing = { zone: 'example.com', keys: read, signers: [], delegated: new Set<KeyData>(), budget };
    const [found] = await signedSets(signing, { name: 'example.com', type: 'A' }, { ...empty, signed });
    expect(found?.signatures.length).toBeLessThanOrEqual(8);
    expect(asked).toBeGreaterThan(granted);
    expect(granted).toBe(32);
  });
});
