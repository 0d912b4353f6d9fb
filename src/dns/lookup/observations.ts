import type {
  DifferingDelegations,
  DnsFacts,
  NameFacts,
  DnsOutcome,
  RecordType,
  SourceView,
  CutAgreement,
} from '../dns-facts.ts';
import type { NoZoneCut, ZoneCut } from './zone-cut.ts';
import { isCut } from './zone-cut.ts';

type Side = 'authorities' | 'resolvers';

/** What was found about one name so far. */
class Entry {
  zone: string | null = null;
  nameServers: readonly string[] = [];
  cuts: readonly CutAgreement[] = [];
  differing: DifferingDelegations | null = null;
  isZoneOfAddresses = false;
  readonly authorities = new Map<string, SourceView>();
  readonly resolvers = new Map<string, SourceView>();
}

/** Collects what sources returned for names while a check runs. */
export interface Observations {
  note(name: string, side: Side, view: Noted): void;
  /**
   * Each walk to a name adds its cuts, as what was said along any of them is combined; the zone is that of the
   * addresses, where they were queried.
   */
  noteZone(name: string, walked: { readonly found: ZoneCut | NoZoneCut; readonly types: readonly RecordType[] }): void;
  names(): DnsFacts['names'];
}

interface Noted extends Pick<SourceView, 'source' | 'witness'> {
  readonly type: RecordType;
  readonly outcome: DnsOutcome;
}

export function createObservations(): Observations {
  const entries = new Map<string, Entry>();
  const entry = (name: string): Entry => {
    const found = entries.get(name) ?? new Entry();
    entries.set(name, found);
    return found;
  };
  return {
    note(name, side, { source, witness, type, outcome }) {
      const views = entry(name)[side];
      const outcomes = { ...views.get(source)?.outcomes, [type]: outcome };
      views.set(source, { source, ...(witness ? { witness } : {}), outcomes });
    },
    noteZone(name, { found, types }) {
      const noted = entry(name);
      noted.cuts = isCut(found) ? [...noted.cuts, ...found.cuts] : noted.cuts;
      noted.differing = isCut(found) ? noted.differing : (found.differing ?? noted.differing);
      const isOfAddresses = types.includes('A') || types.includes('AAAA');
      if (noted.isZoneOfAddresses && !isOfAddresses) return;
      noted.isZoneOfAddresses = isOfAddresses;
      noted.zone = isCut(found) ? found.apex : null;
      noted.nameServers = isCut(found) ? namesOf(found.servers) : [];
    },
    names() {
      const names: Record<string, NameFacts> = Object.create(null) as Record<string, NameFacts>;
      for (const [name, { authorities, resolvers, ...cut }] of entries) {
        names[name] = { name, ...cut, authorities: [...authorities.values()], resolvers: [...resolvers.values()] };
      }
      return names;
    },
  };
}

/** Root servers have no name here, only an address. */
const namesOf = (servers: ZoneCut['servers']): readonly string[] =>
  [...new Set(servers.flatMap(({ name }) => (name === '' ? [] : [name])))].toSorted();
