/**
 * What was found of a hostname's DNSSEC, as plain data: what validating resolvers say, and, only where they call it
 * bogus, who signed them at the zones' own servers; and what the resolvers say together.
 */

/**
 * What a validating resolver says of one question: `bogus` is SERVFAIL twice, beside a whole answer with CD set, or with an RFC 8914 code about
 * DNSSEC; and not all of the way to the answer proven to be unsigned (lookup/validating-resolvers.ts).
 */
type Validation = 'valid' | 'bogus' | 'unanswered';

/** What a certificate authority looks at, and TXT where it proves ownership. */
export type ValidatedType = 'A' | 'AAAA' | 'CAA' | 'TXT';

export interface ValidatedAnswer {
  readonly name: string;
  readonly type: ValidatedType;
  readonly validation: Validation;
  /** the valid answer has records of this type */
  readonly hasRecords: boolean;
  /** why it is bogus, by the codes of RFC 8914 about DNSSEC; absent where the resolver does not say */
  readonly errors?: readonly number[];
}

/** One resolver's answers; those about CAA from the hostname upwards. */
export interface ValidatingResolver {
  /** for people: `resolver 192.0.2.53` */
  readonly source: string;
  readonly answers: readonly ValidatedAnswer[];
}

/** A DS record at the parent zone (RFC 4034 section 5). */
export interface DelegationSigner {
  readonly keyTag: number;
  readonly algorithm: number;
  /** algorithm and digest type are supported, so that validating resolvers insist on it (RFC 4035 section 5.2) */
  readonly isSupported: boolean;
}

/** A zone key (RFC 4034 section 2). */
export interface ZoneKey {
  readonly keyTag: number;
  readonly algorithm: number;
  /** a supported DS record at the parent has its digest */
  readonly isDelegated: boolean;
}

/** A signature (RFC 4034 section 3), which nobody here verifies. Times are seconds since the Unix epoch. */
export interface RecordSignature {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly inception: number;
  readonly expiration: number;
}

/** A set of records that a server gave, with its signatures. */
export interface SignedSet {
  readonly name: string;
  /** such as `A` or `CNAME` */
  readonly type: string;
  readonly signatures: readonly RecordSignature[];
}

/** What one server of a zone says of its keys and of what was asked about in it. */
export interface SigningServer {
  /** for people: `ns1.example.com (192.0.2.1)` */
  readonly source: string;
  readonly keys: readonly ZoneKey[];
  /** over the keys */
  readonly keySignatures: readonly RecordSignature[];
  readonly sets: readonly SignedSet[];
}

/** How one zone is signed, by its parent and by its own servers. */
export interface ZoneSigning {
  readonly zone: string;
  /** null when no server of the parent gave a usable answer; empty for a zone that is not signed */
  readonly delegationSigners: readonly DelegationSigner[] | null;
  /** empty when no server of the zone gave a usable answer */
  readonly servers: readonly SigningServer[];
}

export interface DnssecFacts {
  readonly resolvers: readonly ValidatingResolver[];
  /** from the top down, without top-level domains; empty unless resolvers call an answer bogus */
  readonly zones: readonly ZoneSigning[];
  /** when it was found, seconds since the Unix epoch */
  readonly at: number;
}

/** Resolvers that have to call an answer bogus before it counts. */
const enough = 2;

/**
 * What the resolvers say together: `bogus` when two call it so, `valid` when one has validated everything and none calls
 * it bogus; otherwise nobody can say.
 */
export function opinionOf(resolvers: readonly ValidatingResolver[]): 'bogus' | 'valid' | 'uncertain' {
  const opinions = resolvers.map(({ answers }) => opinionOfOne(answers));
  if (opinions.filter((one) => one === 'bogus').length >= enough) return 'bogus';
  return opinions.includes('valid') && !opinions.includes('bogus') ? 'valid' : 'uncertain';
}

/** The answers that make a resolver call the hostname bogus; empty for one that does not. */
export const bogusAnswers = ({ answers }: ValidatingResolver): readonly ValidatedAnswer[] =>
  [...decidingAddresses(answers), ...decidingCaa(answers), ...ofType(answers, 'TXT')].filter(isBogus);

function opinionOfOne(answers: readonly ValidatedAnswer[]): 'bogus' | 'valid' | 'unanswered' {
  const deciding = [...decidingAddresses(answers), ...decidingCaa(answers), ...ofType(answers, 'TXT')];
  if (deciding.some(isBogus)) return 'bogus';
  return deciding.length === 0 || deciding.some(({ validation }) => validation === 'unanswered')
    ? 'unanswered'
    : 'valid';
}

const isBogus = ({ validation }: ValidatedAnswer): boolean => validation === 'bogus';

const ofType = (answers: readonly ValidatedAnswer[], type: ValidatedAnswer['type']): readonly ValidatedAnswer[] =>
  answers.filter((answer) => answer.type === type);

/** Addresses of one family are enough for an authority (Boulder, bdns/dns.go, LookupHost). */
function decidingAddresses(answers: readonly ValidatedAnswer[]): readonly ValidatedAnswer[] {
  const both = [...ofType(answers, 'A'), ...ofType(answers, 'AAAA')];
  const found = both.filter(({ hasRecords }) => hasRecords);
  return found.length > 0 ? found : both;
}

/** The set closest to the hostname ends the climb, so nothing above it counts (RFC 8659 section 3). */
function decidingCaa(answers: readonly ValidatedAnswer[]): readonly ValidatedAnswer[] {
  const climb = ofType(answers, 'CAA');
  const end = climb.findIndex(({ hasRecords }) => hasRecords);
  return end < 0 ? climb : climb.slice(0, end + 1);
}
