import type { CheckRequest, DnsFacts } from '../dns-facts.ts';
import type { DnssecFacts, SigningServer, ValidatedAnswer, ZoneSigning } from '../dnssec-facts.ts';
import { chainNames } from '../observed-records.ts';
import { bogusAnswers, opinionOf } from '../dnssec-facts.ts';
import type { DnsClient } from './dns-client.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { Response } from '../wire/dns-message.ts';
import type { Check } from './lookup-chain.ts';
import { sourceOf, zoneOf } from './lookup-chain.ts';
import type { ServerAnswer, ZoneQuery } from './query-servers.ts';
import { queryFirst, querySome } from './query-servers.ts';
import type { SignedSubject } from './zone-signing.ts';
import { signedSets, keysIn, shownSigner, signersIn } from './zone-signing.ts';
import { askValidators } from './validating-resolvers.ts';
import { validationQuestions } from './validation-questions.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';

interface Validators {
  readonly resolvers: readonly Endpoint[];
  /**
   * Makes a client with time and packets of its own: whoever forges a zone's answers could otherwise use up the check's, by
   * many name servers or by slow answers, so that nobody is asked whether they are forged.
   */
  readonly client: () => DnsClient;
}

/**
 * Asks the resolvers to validate what a check has found; where they call it bogus, reads the fault from the zones' own
 * servers. Undefined when nothing is to be asked.
 */
export async function lookUpDnssec(
  check: Check,
  { resolvers, client }: Validators,
  request: CheckRequest,
): Promise<DnssecFacts | undefined> {
  if (request.dnssec === undefined) return undefined;
  const facts = { names: check.observations.names() };
  const questions = validationQuestions(facts, request);
  if (questions.length === 0) return undefined;
  const answered = await askValidators(client(), resolvers, questions);
  const isBogus = opinionOf(answered) === 'bogus';
  const zones = isBogus ? await readSigning(check, facts, answered.flatMap(bogusAnswers)) : [];
  return { resolvers: answered, zones, at: Math.floor(Date.now() / 1_000) };
}

/** Names and zones that are looked at. */
const limits = Object.freeze({ subjects: 12, zones: 10 });

/**
 * Reads from the zones' own servers who signed what the bogus answers are about, aliases included, and until when; from the top down. No
 * signature is verified: that is the resolvers' part.
 */
async function readSigning(
  check: Check,
  facts: Pick<DnsFacts, 'names'>,
  bogus: readonly ValidatedAnswer[],
): Promise<readonly ZoneSigning[]> {
  const subjects = subjectsOf(facts, bogus).slice(0, limits.subjects);
  const cuts = await Promise.all(subjects.map(({ name, type }) => zoneOf(check, name, [type])));
  const zones = delegationsOf(cuts.flatMap((cut) => cut ?? [])).slice(0, limits.zones);
  const read = zones.map((delegated) => {
    const inZone = subjects.filter((_, index) => cuts[index]?.apex === delegated.zone);
    return readZone(check, delegated, inZone);
  });
  return Promise.all(read);
}

interface ObservedSubject extends SignedSubject {
  readonly type: ValidatedAnswer['type'];
}

/** Each name of the chains behind the answers, with the type that was asked about. */
function subjectsOf(facts: Pick<DnsFacts, 'names'>, bogus: readonly ValidatedAnswer[]): readonly ObservedSubject[] {
  const found = new Map<string, ObservedSubject>();
  for (const { name: start, type } of bogus) {
    for (const name of chainNames(facts, start, type === 'AAAA' ? ['A', 'AAAA'] : [type])) {
      found.set(`${name} ${type}`, { name, type });
    }
  }
  return [...found.values()];
}

interface Delegated {
  readonly zone: string;
  readonly parent: string;
}

/** Zones on the way to the names, each once, from the top down; top-level domains are their registries' own. */
function delegationsOf(cuts: readonly ZoneCut[]): readonly Delegated[] {
  const found = new Map<string, Delegated>();
  for (const { cuts: way } of cuts) {
    for (const [index, { zone }] of way.entries()) {
      const parent = way[index - 1]?.zone;
      if (parent !== undefined) found.set(zone, { zone, parent });
    }
  }
  return [...found.values()].toSorted((a, b) => a.zone.split('.').length - b.zone.split('.').length);
}

/** Two servers of the zone are read, as one of them may have signatures that the other one does not. */
async function readZone(
  check: Check,
  { zone, parent }: Delegated,
  subjects: readonly SignedSubject[],
): Promise<ZoneSigning> {
  const [above, own] = await Promise.all([zoneOf(check, parent, ['A']), zoneOf(check, zone, ['A'])]);
  const [aboutSigners, aboutKeys] = await Promise.all([
    askSome(check, above, { name: zone, type: 'DS' }),
    askSome(check, own, { name: zone, type: 'DNSKEY' }),
  ]);
  const signers = signersIn(
    aboutSigners.flatMap(({ response }) => response.signed ?? []),
    zone,
  );
  const servers = aboutKeys.map(async ({ server, response }): Promise<SigningServer> => {
    const answers = await Promise.all(subjects.map((subject) => askOne(check, server, subject)));
    return {
      source: sourceOf(server),
      keys: keysIn(response.signed ?? [], zone, signers),
      keySignatures: signedSets(zone, { name: zone, type: 'DNSKEY' }, response)[0]?.signatures ?? [],
      sets: subjects.flatMap((subject, index) => signedSets(zone, subject, answers[index])),
    };
  });
  return {
    zone,
    delegationSigners: aboutSigners.length === 0 ? null : signers.map(shownSigner),
    servers: await Promise.all(servers),
  };
}

const queryFor = ({ name, type }: SignedSubject): ZoneQuery => ({
  question: { name, type, recursive: false, dnssec: 'signed' },
  usable: ({ authoritative, rcode }) => authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN'),
});

/** The same servers each time, so that the fault that is reported stays the same. */
const serversRead = 2;

const askSome = async (
  { client }: Check,
  cut: ZoneCut | null,
  subject: SignedSubject,
): Promise<readonly ServerAnswer[]> => {
  if (cut === null) return [];
  const sorted = cut.servers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const answers = await querySome(client, sorted.slice(0, serversRead), queryFor(subject));
  const found = answers.length > 0 ? answers : await querySome(client, sorted.slice(serversRead), queryFor(subject));
  return found.toSorted((a, b) => (a.server.name < b.server.name ? -1 : 1));
};

/** undefined without a usable answer */
const askOne = async ({ client }: Check, server: ZoneServer, subject: SignedSubject): Promise<Response | undefined> =>
  (await queryFirst(client, [server], queryFor(subject)))?.response;
