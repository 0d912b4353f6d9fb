import type { DnsFacts, NameFacts, Outcome, RecordType, SourceView } from '../model/dns-facts.ts';

type Side = 'authorities' | 'resolvers';
type Views = Map<string, Partial<Record<RecordType, Outcome>>>;

interface Entry {
  zone: string | null;
  readonly authorities: Views;
  readonly resolvers: Views;
}

/** Collects what sources said of names while a check runs. */
export interface FactBook {
  note(name: string, side: Side, view: { source: string; type: RecordType; outcome: Outcome }): void;
  noteZone(name: string, apex: string | null): void;
  names(): DnsFacts['names'];
}

export function createFactBook(): FactBook {
  const entries = new Map<string, Entry>();
  const entry = (name: string): Entry => {
    const found: Entry = entries.get(name) ?? { zone: null, authorities: new Map(), resolvers: new Map() };
    entries.set(name, found);
    return found;
  };
  return {
    note(name, side, { source, type, outcome }) {
      const views = entry(name)[side];
      views.set(source, { ...views.get(source), [type]: outcome });
    },
    noteZone(name, apex) {
      entry(name).zone = apex;
    },
    names: () =>
      Object.fromEntries(
        [...entries].map(([name, { zone, authorities, resolvers }]): [string, NameFacts] => [
          name,
          { name, zone, authorities: viewsOf(authorities), resolvers: viewsOf(resolvers) },
        ]),
      ),
  };
}

const viewsOf = (views: Views): readonly SourceView[] => [...views].map(([source, outcomes]) => ({ source, outcomes }));
