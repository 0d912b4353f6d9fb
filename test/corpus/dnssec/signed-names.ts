import type { BuiltZones, SignedName } from './signed-name.ts';

const days = 86_400_000;
const longAgo = new Date(Date.now() - 60 * days);
const inFuture = new Date(Date.now() + 30 * days);
/** when signatures made long ago expired, as far as an issue prints it */
const expired = new Date(longAgo.getTime() + 14 * days).toISOString().slice(0, 10);

const toTarget = ['www CNAME {target}'];
const byAddress = ['www A {ours}', '_projectdomain-challenge.www TXT {right}'];
/** the digest of no key */
const noDigest = '5B0C3D2E1F405162738495A6B7C8D9EAFB0C1D2E3F405162738495A6B7C8D9EA';
const wrongDs = `12345 13 2 ${noDigest}`;

const tagOf = ({ signed }: BuiltZones, apex: string): string => `key ${signed.get(apex)?.keyTag}`;
const without = (pattern: RegExp) => (lines: readonly string[]) => lines.filter((line) => !pattern.test(line));

/** Names in zones with DNSSEC, right and broken. */
export const signedNames: readonly SignedName[] = [
  { name: 'a signed zone', why: 'everything holds', lines: toTarget, expected: 'yes' },
  {
    name: 'a zone with NSEC3, by addresses',
    why: 'that there is no CAA is proven by hashes',
    lines: byAddress,
    signing: { hashes: true },
    expected: 'yes',
  },
  {
    name: 'a zone with RSA',
    why: 'the oldest zones have it',
    lines: toTarget,
    signing: { algorithm: 'rsasha256' },
    expected: 'yes',
  },
  {
    name: 'a zone with Ed25519',
    why: 'the newest have it',
    lines: toTarget,
    signing: { algorithm: 'ed25519' },
    expected: 'yes',
  },
  { name: 'a zone without DNSSEC', why: 'most have none', lines: toTarget, signing: null, expected: 'yes' },
  {
    name: 'a signed zone without a DS record',
    why: 'nobody validates before the registrar knows the key',
    lines: toTarget,
    ds: null,
    expected: 'yes',
  },
  {
    name: 'a DS record with an algorithm that nobody knows',
    why: 'RFC 4035 section 5.2: the zone counts as unsigned',
    lines: toTarget,
    signing: null,
    ds: `12345 200 2 ${noDigest}`,
    expected: 'yes',
  },
  {
    name: 'expired signatures in a zone without a DS record',
    why: 'they protect nothing',
    lines: toTarget,
    signing: { at: longAgo },
    ds: null,
    expected: 'yes',
  },
  {
    name: 'a DS record of another key',
    why: 'the usual mistake after a move between DNS hosts that sign',
    lines: toTarget,
    ds: wrongDs,
    expected: 'DnssecBogus',
    says: (zones) => [zones.apex, 'key 12345 (algorithm 13)', tagOf(zones, zones.apex), 'replace the DS record'],
  },
  {
    name: 'a DS record for a zone that is not signed',
    why: 'the usual mistake after a move to a DNS host that does not sign',
    lines: toTarget,
    signing: null,
    ds: wrongDs,
    expected: 'DnssecBogus',
    says: ({ apex }) => [apex, 'key 12345 (algorithm 13)', 'not signed', 'delete the DS record'],
  },
  {
    name: 'expired signatures',
    why: 'the DNS host no longer signs',
    lines: toTarget,
    signing: { at: longAgo },
    expected: 'DnssecBogus',
    says: (zones) => [zones.apex, tagOf(zones, zones.apex), `expired on ${expired}`, 'sign the zone again'],
  },
  {
    name: 'signatures of the future',
    why: 'the clock of the signer is wrong',
    lines: toTarget,
    signing: { at: inFuture },
    expected: 'DnssecBogus',
    says: (zones) => [zones.apex, tagOf(zones, zones.apex), 'is valid from'],
  },
  {
    name: 'no signature at the hostname',
    why: 'a record was added behind the signer',
    lines: toTarget,
    edit: without(/^www\S* .*RRSIG CNAME /),
    expected: 'DnssecBogus',
    says: ({ apex }) => [`no signature for www.${apex} CNAME`, 'sign the zone again'],
  },
  {
    name: 'a record that was changed behind the signer',
    why: 'the signature is over the former value',
    lines: ['www CNAME former.{other}'],
    other: { lines: [] },
    edit: (lines) => lines.map((line) => line.replace(/ CNAME former\..*$/, ' CNAME {target}')),
    expected: 'DnssecBogus',
    says: (zones) => [`www.${zones.apex} CNAME`, tagOf(zones, zones.apex), 'does not fit'],
  },
  {
    name: 'no proof that there is no CAA',
    why: 'an authority may not take it for granted',
    lines: byAddress,
    edit: without(/^www\S* .*NSEC /),
    expected: 'DnssecBogus',
    says: ({ apex }) => [`www.${apex} CAA`, 'sign the zone again'],
  },
  {
    name: 'a CAA record without a signature',
    why: 'an authority may not trust it, whatever it says',
    lines: [...byAddress, 'www CAA 0 issue "ca.test"'],
    edit: without(/^www\S* .*RRSIG CAA /),
    expected: 'DnssecBogus',
    says: ({ apex }) => [`no signature for www.${apex} CAA`],
  },
  {
    name: 'an ownership record without a signature',
    why: 'it proves who owns the name',
    lines: byAddress,
    edit: without(/^_projectdomain\S* .*RRSIG TXT /),
    expected: 'DnssecBogus',
    says: ({ apex }) => [`no signature for _projectdomain-challenge.www.${apex} TXT`],
  },
  {
    name: 'only the zone of an alias is broken',
    why: 'the fault is in the zone that the alias leads to',
    lines: ['www CNAME shop.{other}'],
    other: { lines: ['shop CNAME {target}'], signing: { at: longAgo } },
    expected: 'DnssecBogus',
    says: (zones) => [`DNSSEC of ${zones.other}`, tagOf(zones, zones.other), `expired on ${expired}`],
  },
  {
    name: 'a zone below the domain has a DS record of another key',
    why: 'the fault is one zone further down',
    host: 'www.eu',
    lines: [],
    below: { eu: { lines: toTarget, ds: wrongDs } },
    expected: 'DnssecBogus',
    says: (zones) => [
      `DNSSEC of eu.${zones.apex}`,
      'replace the DS record',
      'key 12345',
      tagOf(zones, `eu.${zones.apex}`),
    ],
  },
  {
    name: 'a signed zone below a zone without DNSSEC',
    why: 'an island: nobody validates it, broken or not',
    host: 'www.eu',
    lines: [],
    signing: null,
    below: { eu: { lines: toTarget, signing: { at: longAgo } } },
    expected: 'yes',
  },
];
