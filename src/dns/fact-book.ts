import type { DnsFacts, NameFacts, Outcome, RecordType, SourceView } from '../model/dns-facts.ts';
import type { ZoneCut } from './walk.ts';

type Side = 'authorities' | 'resolvers';
type Views = Map<string, Partial<Record<RecordType, Outcome>>>;

interface Entry {
  zone: string | null;
  nameServers: readonly string[];
  readonly authorities: Views;
  readonly resolvers: Views;
}

/** Collects what sources said of names while a check runs. */
export interface FactBook {
  note(name: string, side: Side, view: { source: string; type: RecordType; outcome: Outcome }): void;
  noteZone(name: string, cut: ZoneCut | null): void;
  names(): DnsFacts['names'];
}

export function createFactBook(): FactBook {
  const entries = new Map<string, Entry>();
  const entry = (name: string): Entry => {
    const found: Entry = entries.get(name) ?? {
      zone: null,
      nameServers: [],
      authorities: new Map(),
      resolvers: new Map(),
    };
    entries.set(name, found);
    return found;
  };
  return {
    note(name, side, { source, type, outcome }) {
      const views = entry(name)[side];
      views.set(source, { ...views.get(source), [type]: outcome });
    },
    noteZone(name, cut) {
      const noted = entry(name);
      noted.zone = cut?.apex ?? null;
      noted.nameServers = namesOf(cut?.servers ?? []);
    },
    names: () =>
      Object.fromEntries(
        [...entries].map(([name, { authorities, resolvers, ...cut }]): [string, NameFacts] => [
          name,
          { name, ...cut, authorities: viewsOf(authorities), resolvers: viewsOf(resolvers) },
        ]),
      ),
  };
}

/** The roots are known by address alone. */
const namesOf = (servers: ZoneCut['servers']): readonly string[] =>
  [...new Set(servers.flatMap(({ name }) => (name === '' ? [] : [name])))].toSorted();

const viewsOf = (views: Views): readonly SourceView[] => [...views].map(([source, outcomes]) => ({ source, outcomes }));
