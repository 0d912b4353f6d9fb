import type {
  DnssecFacts,
  RecordSignature,
  SignedSet,
  SigningServer,
  ValidatedAnswer,
  ValidatingResolver,
  ZoneSigning,
} from '../../src/dns/dnssec-facts.ts';

/** The time of the facts, seconds since the Unix epoch. */
export const at = 1_767_268_800;
const day = 86_400;

export const signature = (changes: Partial<RecordSignature> = {}): RecordSignature => ({
  keyTag: 7,
  algorithm: 13,
  inception: at - day,
  expiration: at + day,
  ...changes,
});

export const set = (name: string, type: string, ...signatures: readonly RecordSignature[]): SignedSet => ({
  name,
  type,
  signatures,
});

export const server = (changes: Partial<SigningServer> = {}): SigningServer => ({
  source: 'ns1 (192.0.2.1)',
  keys: [{ keyTag: 7, algorithm: 13, isDelegated: true }],
  keySignatures: [signature()],
  sets: [set('www.example.com', 'A', signature())],
  ...changes,
});

export const zone = (changes: Partial<ZoneSigning> = {}): ZoneSigning => ({
  zone: 'example.com',
  delegationSigners: [{ keyTag: 7, algorithm: 13, isSupported: true }],
  servers: [server()],
  ...changes,
});

export const says = (
  validation: ValidatedAnswer['validation'],
  type: ValidatedAnswer['type'] = 'A',
  hasRecords = validation === 'valid',
): ValidatedAnswer => ({ name: 'www.example.com', type, validation, hasRecords });

export const resolver = (...answers: readonly ValidatedAnswer[]): ValidatingResolver => ({
  source: 'resolver 192.0.2.53',
  answers,
});

export const dnssec = (zones: readonly ZoneSigning[], changes: Partial<DnssecFacts> = {}): DnssecFacts => ({
  resolvers: [resolver(says('bogus')), resolver(says('bogus'))],
  zones,
  at,
  ...changes,
});
