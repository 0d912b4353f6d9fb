import type { RecordType } from '../dns-facts.ts';
import type { SignedSet } from '../dnssec-facts.ts';
import type { Response } from '../wire/dns-message.ts';
import { numberOf } from '../wire/dns-message.ts';
import { readSignature } from '../wire/dnssec-rdata.ts';
import { types } from '../wire/signed-section.ts';
import { isInZone } from './zone-cut.ts';

/** A question whose answer has to be signed. */
export interface SignedSubject {
  readonly name: string;
  readonly type: RecordType | 'DS' | 'DNSKEY';
}

/** signatures of one set that are looked at */
const mostSignatures = 8;

/**
 * The sets that answer the question, each with the zone's own signatures over it; none where the answer is that there is none. Below a DNAME
 * that is the one that counts, as a CNAME that stands for it has no signature (RFC 6672 section 5.3.1).
 */
export function signedSets(zone: string, { name, type }: SignedSubject, response?: Response): readonly SignedSet[] {
  const records = response?.signed ?? [];
  const redirect = records.find(
    (record) => record.type === types.DNAME && isInZone(record.name, zone) && name.endsWith(`.${record.name}`),
  );
  const owner = redirect?.name ?? name;
  const there = records.filter((record) => record.name === owner);
  const signatures = there
    .flatMap((record) => (record.type === types.RRSIG ? (readSignature(record.rdata) ?? []) : []))
    .filter(({ signer }) => signer === zone);
  const wanted: readonly (readonly [string, number])[] = redirect
    ? [['DNAME', types.DNAME]]
    : [
        [type, numberOf(type)],
        ['CNAME', types.CNAME],
      ];
  return wanted
    .filter(([, number]) => there.some((record) => record.type === number))
    .map(([label, number]) => ({
      name: owner,
      type: label,
      signatures: signatures.filter(({ covered }) => covered === number).slice(0, mostSignatures),
    }));
}
