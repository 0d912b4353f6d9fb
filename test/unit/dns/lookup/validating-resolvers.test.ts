import { describe, expect, it } from '@jest/globals';
import type { DnsRecord, UnknownCause } from '../../../../src/dns/dns-facts.ts';
import type { DnsClient } from '../../../../src/dns/lookup/dns-client.ts';
import type { Question, Response } from '../../../../src/dns/wire/dns-message.ts';
import type { ValidationQuestion } from '../../../../src/dns/lookup/validating-resolvers.ts';
import { askValidators } from '../../../../src/dns/lookup/validating-resolvers.ts';
import { opinionOf } from '../../../../src/dns/dnssec-facts.ts';
import { empty, record } from '../../../support/scripted-exchange.ts';

/**
 * `bogus` stops orders and tells people to change their DNS, so nothing but DNSSEC may lead to it: fails when a server that fails for
 * one type of record, or for a moment, reads as broken signatures, or when broken signatures read as anything else.
 */

const name = 'w.example.com';
const alias = record(name, 'CNAME', 'o.gl.example.com');
const soa = record('example.com', 'SOA', 'ns1.example.com');
const soaOfGl = record('gl.example.com', 'SOA', 'ns1.example.com');

type Said = Response | UnknownCause;
const answers = (...records: readonly DnsRecord[]): Response => ({ ...empty, answers: records });
const none = (of: DnsRecord, ...records: readonly DnsRecord[]): Response => ({
  ...empty,
  answers: records,
  authorities: [of],
});
const fails = (...extendedErrors: readonly number[]): Response => ({ ...empty, rcode: 'SERVFAIL', extendedErrors });
const signer = (zone: string): Response => ({
  ...empty,
  signed: [{ name: zone, type: 43, rdata: Buffer.alloc(36) }],
});

interface Resolver {
  /** with CD clear: first, and when asked again */
  readonly checking: readonly [Said, Said?];
  readonly unchecked: Said;
  /** zones with a DS record, and those of which the resolver has validated that there is none */
  readonly signed?: readonly string[];
  readonly unsigned?: readonly string[];
  /** zones with name servers by the resolver's word */
  readonly delegated?: readonly string[];
}

const saysOfSigner = ({ signed = [], unsigned = [] }: Pick<Resolver, 'signed' | 'unsigned'>, zone: string): Said => {
  if (signed.includes(zone)) return signer(zone);
  return unsigned.includes(zone) ? none(soa) : fails();
};

const says = (resolver: Resolver, { name: about, type, dnssec, isAgain = false }: Question): Said => {
  const { checking, unchecked, delegated = [] } = resolver;
  if (type === 'DS') return saysOfSigner(resolver, about);
  if (type === 'NS') return delegated.includes(about) ? answers(record(about, 'NS', 'ns1.example.com')) : none(soa);
  if (dnssec === 'unchecked') return unchecked;
  return isAgain ? (checking[1] ?? checking[0]) : checking[0];
};

const paths = [['example.com'], ['example.com', 'gl.example.com']];
const caa: ValidationQuestion = { name, type: 'CAA', paths };

async function ask(resolvers: readonly Resolver[], question: ValidationQuestion = caa) {
  const asked: string[] = [];
  const client: Pick<DnsClient, 'query'> = {
    query: ({ address }, one) => {
      const at = Number(address.split('.').at(-1));
      asked.push(`${at} ${one.name} ${one.type}`);
      const resolver = resolvers[at];
      return Promise.resolve(resolver ? says(resolver, one) : 'timeout');
    },
  };
  const endpoints = resolvers.map((_, index) => ({ address: `192.0.2.${index}`, port: 53 }));
  const found = await askValidators(client as DnsClient, endpoints, [question]);
  return {
    found: found.flatMap((one) => one.answers.map(({ validation }) => validation)),
    asked,
    opinion: opinionOf(found),
  };
}

const bogusZone: Resolver = {
  checking: [fails()],
  unchecked: answers(alias, record('o.gl.example.com', 'CAA', '0 issue "ca.test"')),
  signed: ['example.com'],
};

describe('an answer that a resolver refuses', () => {
  it.each<[string, string, Resolver]>([
    ['refused twice, whole with CD set, and signed', 'bogus', bogusZone],
    ['the same, where DS records cannot be told', 'bogus', { ...bogusZone, signed: [] }],
    ['the same, and a denial', 'bogus', { ...bogusZone, unchecked: none(soaOfGl, alias) }],
    [
      'with CD set the alias alone, which another question has put into the cache, as the load balancer behind it fails for CAA',
      'unanswered',
      { ...bogusZone, unchecked: answers(alias) },
    ],
    [
      'the same where nothing is signed',
      'unanswered',
      { checking: [fails()], unchecked: answers(alias), unsigned: ['example.com'] },
    ],
    ['refused once only, and then valid', 'valid', { ...bogusZone, checking: [fails(), none(soaOfGl, alias)] }],
    ['refused once, and then nothing', 'unanswered', { ...bogusZone, checking: [fails(), 'timeout'] }],
    [
      'refused twice though whole, where the resolver has found that the registry has no DS record',
      'unanswered',
      { ...bogusZone, signed: [], unsigned: ['example.com'] },
    ],
    [
      'the same, where only the zone behind the alias has none',
      'bogus',
      { ...bogusZone, unsigned: ['gl.example.com'], delegated: ['gl.example.com'] },
    ],
    [
      'another reason than DNSSEC is named (RFC 8914: network error)',
      'unanswered',
      { ...bogusZone, checking: [fails(23)] },
    ],
    [
      'refused with CD set too, by a resolver that names the missing key and has found a DS record',
      'bogus',
      { checking: [fails(9)], unchecked: fails(9), signed: ['example.com'] },
    ],
    [
      'the same for missing signatures',
      'bogus',
      { checking: [fails(10)], unchecked: 'timeout', signed: ['example.com'] },
    ],
    [
      'the same without a DS record',
      'unanswered',
      { checking: [fails(9)], unchecked: fails(9), unsigned: ['example.com'] },
    ],
    ['the same where DS records cannot be told', 'unanswered', { checking: [fails(9)], unchecked: fails(9) }],
    [
      'refused with CD set too, without a reason',
      'unanswered',
      { checking: [fails()], unchecked: fails(), signed: ['example.com'] },
    ],
    ['silence', 'unanswered', { checking: ['timeout'], unchecked: 'timeout' }],
  ])('%s: %s', async (_, validation, resolver) => {
    expect((await ask([resolver])).found).toEqual([validation]);
  });

  it('is bogus though its forger makes the name look like a zone of its own, which has no DS record', async () => {
    const forged: ValidationQuestion = { name, type: 'A', paths: [['example.com', name]] };
    const resolver: Resolver = {
      checking: [fails()],
      unchecked: answers(record(name, 'A', '192.0.2.7')),
      unsigned: [name],
    };
    expect((await ask([resolver], forged)).found).toEqual(['bogus']);
  });

  it('is not bogus below a delegation without a DS record', async () => {
    const below: ValidationQuestion = { name, type: 'A', paths: [['example.com', 'w.example.com']] };
    const resolver: Resolver = {
      checking: [fails()],
      unchecked: answers(record(name, 'A', '192.0.2.7')),
      signed: ['example.com'],
      unsigned: ['w.example.com'],
      delegated: ['w.example.com'],
    };
    expect((await ask([resolver], below)).found).toEqual(['unanswered']);
  });

  it('costs one packet when it is valid, and three and the DS records of the way when it is bogus', async () => {
    expect((await ask([{ checking: [none(soa)], unchecked: none(soa) }])).asked).toHaveLength(1);
    expect((await ask([bogusZone])).asked).toEqual([
      '0 w.example.com CAA',
      '0 w.example.com CAA',
      '0 w.example.com CAA',
      '0 example.com DS',
      '0 example.com DS',
      '0 gl.example.com DS',
    ]);
  });
});

describe('validators of different makes', () => {
  it('call a zone bogus together: one refuses with CD clear only, one is silent, one refuses always and says why', async () => {
    const signed = ['example.com'];
    const withCd: Resolver = { ...bogusZone, signed };
    const silent: Resolver = { checking: ['timeout'], unchecked: 'timeout', signed };
    const always: Resolver = { checking: [fails(9)], unchecked: fails(9), signed };
    expect((await ask([withCd, silent, always])).opinion).toBe('bogus');
  });
});
