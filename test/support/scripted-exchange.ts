import type { UnknownCause, DnsRecord, RecordType } from '../../src/dns/dns-facts.ts';
import type { Exchange } from '../../src/dns/wire/dns-exchange.ts';
import type { Question, Response } from '../../src/dns/wire/dns-message.ts';

export type Behaviour = (question: Question) => Response | UnknownCause;

export interface ScriptedWorld {
  readonly exchange: Exchange;
  /** addresses that were sent a packet, in order */
  readonly sent: readonly string[];
}

/** Servers by address that behave as scripted: for what real servers do not do on demand. Others are silent. */
export function scriptedWorld(servers: Readonly<Record<string, Behaviour>>): ScriptedWorld {
  const sent: string[] = [];
  return {
    sent,
    exchange: ({ address }, question) => {
      sent.push(address);
      return Promise.resolve(servers[address]?.(question) ?? 'timeout');
    },
  };
}

/** An authoritative answer without records. */
export const empty: Response = {
  rcode: 'NOERROR',
  authoritative: true,
  truncated: false,
  answers: [],
  authorities: [],
  additionals: [],
};

export const record = (name: string, type: RecordType, value: string): DnsRecord => ({ name, type, value, ttl: 60 });

/** Delegates a zone to name servers given as `name=address`, or as a bare name without glue. */
export const delegate =
  (zone: string, ...servers: readonly string[]): Behaviour =>
  ({ name }) => {
    if (name !== zone && !name.endsWith(`.${zone}`)) return empty;
    const split = servers.map((server) => server.split('='));
    return {
      ...empty,
      authoritative: false,
      authorities: split.map(([ns = '']) => record(zone, 'NS', ns)),
      additionals: split.flatMap(([ns = '', address]) => (address ? [record(ns, 'A', address)] : [])),
    };
  };

/** Answers with authority from `name type` to values; everything else does not exist. */
export const zone =
  (records: Readonly<Record<string, readonly string[]>>): Behaviour =>
  ({ name, type }) => {
    const found = records[`${name} ${type}`];
    if (found) return { ...empty, answers: found.map((value) => record(name, type as RecordType, value)) };
    const alias = records[`${name} CNAME`];
    if (alias) return { ...empty, answers: alias.map((value) => record(name, 'CNAME', value)) };
    const exists = Object.keys(records).some((key) => key.startsWith(`${name} `) || key.includes(`.${name} `));
    return { ...empty, rcode: exists ? 'NOERROR' : 'NXDOMAIN' };
  };

export const always =
  (answer: Partial<Response> | UnknownCause): Behaviour =>
  () =>
    typeof answer === 'string' ? answer : { ...empty, ...answer };

/** The first behaviour that has more to say than nothing. */
export const together =
  (...behaviours: readonly Behaviour[]): Behaviour =>
  (question) => {
    const answers = behaviours.map((behaviour) => behaviour(question));
    return (
      answers.find((answer) => typeof answer !== 'string' && answer.answers.length + answer.authorities.length > 0) ??
      answers[0] ??
      empty
    );
  };
