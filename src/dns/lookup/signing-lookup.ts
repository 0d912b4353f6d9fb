import { setImmediate } from 'node:timers/promises';
import type { DnsFacts } from '../dns-facts.ts';
import type { SigningServer, ValidatedAnswer, ZoneSigning } from '../dnssec-facts.ts';
import { chainNames } from '../observed-records.ts';
import type { SignerData } from './dnssec-rdata.ts';
import { readSigner } from './dnssec-rdata.ts';
import type { Question, Response } from './dns-message.ts';
import type { Check } from './lookup-chain.ts';
import { sourceOf, zoneOf } from './lookup-chain.ts';
import type { ServerAnswer, ZoneQuery } from './query-servers.ts';
import { queryFirst, querySome } from './query-servers.ts';
import type { HashBudget } from './denial-proof.ts';
import { hashBudget } from './denial-proof.ts';
import type { SignatureBudget, SignedSubject } from './signed-sets.ts';
import { delegatedKeys, denialIn, keysIn, signatureBudget, signedSets, zoneKeys } from './signed-sets.ts';
import { isSupported } from './signature-verification.ts';
import { types } from './signed-section.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';

/** Names and zones that are looked at; more of them are not diagnosed. */
const limits = Object.freeze({ subjects: 12, zones: 10 });

export interface SigningFacts {
  readonly zones: readonly ZoneSigning[];
  /** false when a limit kept names or zones out, or the zone of a name was not found */
  readonly isWhole: boolean;
}

/** Reads from the zones' own servers how everything is signed that the bogus answers are about, aliases included. */
export async function readSigning(
  check: Check,
  facts: Pick<DnsFacts, 'names'>,
  bogus: readonly ValidatedAnswer[],
): Promise<SigningFacts> {
  const all = subjectsOf(facts, bogus);
  const subjects = all.slice(0, limits.subjects);
  const cuts = await Promise.all(subjects.map(({ name, type }) => zoneOf(check, name, [type])));
  const placed = subjects.map((subject, index) => ({ ...subject, zone: cuts[index]?.apex ?? null }));
  const delegations = delegationsOf(cuts.flatMap((cut) => cut ?? []));
  const zones = delegations.slice(0, limits.zones);
  const reading = { check, budget: signatureBudget(), hashing: hashBudget() };
  const read = zones.map(({ zone, parent }) => {
    const inZone = placed.filter((subject) => subject.zone === zone);
    const children = delegations.filter((one) => one.parent === zone).map((one) => one.zone);
    return readZone(reading, { zone, parent, subjects: inZone, children });
  });
  const isWhole = all.length === subjects.length && zones.length === delegations.length && !cuts.includes(null);
  return { zones: await Promise.all(read), isWhole };
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

interface Reading {
  readonly check: Check;
  readonly budget: SignatureBudget;
  readonly hashing: HashBudget;
}

interface ZoneToRead extends Delegated {
  readonly subjects: readonly SignedSubject[];
  /** zones that this one delegates: it signs their DS records */
  readonly children: readonly string[];
}

/** Two servers of the zone are read, as one of them may have signatures that the other one does not. */
async function readZone(
  { check, budget, hashing }: Reading,
  { zone, parent, subjects, children }: ZoneToRead,
): Promise<ZoneSigning> {
  const [above, own] = await Promise.all([zoneOf(check, parent, ['A']), zoneOf(check, zone, ['A'])]);
  const [aboutSigners, aboutKeys] = await Promise.all([
    askSome(check, above, { name: zone, type: 'DS' }),
    askSome(check, own, { name: zone, type: 'DNSKEY' }),
  ]);
  const signers = signersIn(aboutSigners, zone);
  const asked = [...subjects, ...children.map((name) => ({ name, type: 'DS' }) as const)];
  const servers = aboutKeys.map(async ({ server, response }): Promise<SigningServer> => {
    const keys = keysIn(response.signed ?? [], zone);
    const signing = { zone, keys, signers, delegated: delegatedKeys({ zone, keys, signers }), budget };
    const answers = await Promise.all(asked.map((subject) => askOne(check, server, subject)));
    const sets = [...(await signedSets(signing, { name: zone, type: 'DNSKEY' }, response))];
    const denials: SigningServer['denials'][number][] = [];
    for (const [index, subject] of asked.entries()) {
      sets.push(...(await signedSets(signing, subject, answers[index])));
      denials.push(...denialIn(subject, answers[index], hashing));
      await setImmediate();
    }
    return {
      source: sourceOf(server),
      keys: zoneKeys(signing),
      sets,
      denials,
      hasAnsweredAll: !answers.includes(undefined),
    };
  });
  return {
    zone,
    delegationSigners: aboutSigners.length === 0 ? null : signers.map(shown),
    servers: await Promise.all(servers),
  };
}

type SubjectQuestion = Pick<Question, 'name' | 'type'>;

const queryFor = ({ name, type }: SubjectQuestion): ZoneQuery => ({
  question: { name, type, recursive: false, dnssec: 'signed' },
  usable: ({ authoritative, rcode }) => authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN'),
});

/** The same servers each time, so that the fault that is reported stays the same. */
const serversRead = 2;

const askSome = async (
  { client }: Check,
  cut: ZoneCut | null,
  subject: SubjectQuestion,
): Promise<readonly ServerAnswer[]> => {
  if (cut === null) return [];
  const sorted = cut.servers.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const answers = await querySome(client, sorted.slice(0, serversRead), queryFor(subject));
  const found = answers.length > 0 ? answers : await querySome(client, sorted.slice(serversRead), queryFor(subject));
  return found.toSorted((a, b) => (a.server.name < b.server.name ? -1 : 1));
};

/** undefined without a usable answer */
const askOne = async ({ client }: Check, server: ZoneServer, subject: SubjectQuestion): Promise<Response | undefined> =>
  (await queryFirst(client, [server], queryFor(subject)))?.response;

/** Of every server of the parent that answered. */
function signersIn(answers: readonly ServerAnswer[], zone: string): readonly SignerData[] {
  const records = answers.flatMap(({ response }) => response.signed ?? []);
  const data = new Map(
    records
      .filter(({ name, type }) => name === zone && type === types.DS)
      .map(({ rdata }) => [rdata.toString('hex'), rdata]),
  );
  return [...data.values()].flatMap((rdata) => readSigner(rdata) ?? []);
}

const shown = (signer: SignerData) => ({
  keyTag: signer.keyTag,
  algorithm: signer.algorithm,
  isSupported: isSupported(signer),
});
