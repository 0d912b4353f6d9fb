import type { Asking } from './check-budget.ts';
import { isReferral, isUsableAbout } from './delegation.ts';
import type { ServerAnswer } from './ask-servers.ts';
import { askSome } from './ask-servers.ts';
import type { CutOf, ZoneCut, ZoneServer } from './zone-cut.ts';
import { countOf, isCertain, isCut } from './zone-cut.ts';

const maxDepth = 4;

/**
 * Looks up the addresses of a name server whose delegation came without glue. Only two servers of its zone are queried,
 * because anybody may have named that zone and the packets go there (NXNSAttack, RFC 9520). If they return different
 * addresses, both are used and neither is certain. A name that certainly has no address is left out.
 */
export function createServerLookup(asking: Asking, cutOf: CutOf, port: number) {
  const unknownServer = (name: string): ZoneServer => ({ name, endpoint: null, delegated: true, certain: false });

  const zoneOf = (name: string, depth: number) => cutOf(name.slice(name.indexOf('.') + 1), depth);

  const ask = (cut: ZoneCut, name: string): Promise<readonly ServerAnswer[]> =>
    askSome(asking, cut.servers, { name, type: 'A', recursive: false }, isUsableAbout(name));

  return async (name: string, depth: number): Promise<readonly ZoneServer[]> => {
    if (depth >= maxDepth || !asking.mayLookUpServer(name)) return [unknownServer(name)];
    const above = await zoneOf(name, depth + 1);
    if (!isCut(above)) return [unknownServer(name)];
    const first = await ask(above, name);
    const deeper = first.some(({ response }) => isReferral(response, name)) ? await cutOf(name, depth + 1) : above;
    if (!isCut(deeper)) return [unknownServer(name)];
    const answers = deeper === above ? first : await ask(deeper, name);
    if (answers.length === 0) return [unknownServer(name)];
    const views = answers.map(({ response }) => addressesIn(response, name));
    const agreed = new Set(views.map((view) => view.toSorted().join(' '))).size === 1;
    const servers = countOf(deeper.servers);
    const certain =
      agreed &&
      isCertain({ servers, agreeing: countOf(answers.map(({ server }) => server)) }) &&
      deeper.cuts.every(isCertain);
    const addresses = [...new Set(views.map(([address]) => address))].filter((address) => address !== undefined);
    if (addresses.length === 0) return certain ? [] : [unknownServer(name)];
    return addresses.map((address) => ({ name, endpoint: { address, port }, delegated: true, certain }));
  };
}

const addressesIn = (response: ServerAnswer['response'], name: string): readonly string[] =>
  response.answers.filter((record) => record.name === name && record.type === 'A').map(({ value }) => value);
