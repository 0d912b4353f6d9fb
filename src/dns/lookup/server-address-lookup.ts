import type { Asking } from './check-budget.ts';
import { isReferral, isUsableAbout } from './delegation.ts';
import type { ServerAnswer } from './ask-servers.ts';
import { askSome } from './ask-servers.ts';
import type { CutOf, ZoneCut, ZoneServer } from './zone-cut.ts';
import { countOf, isCertain, isCut } from './zone-cut.ts';

const maxDepth = 4;

/**
 * Addresses of a server whose delegation came without glue. Two servers of its zone are asked: the packets go to a zone
 * that a stranger may have named (NXNSAttack, RFC 9520). Where they say different things both are asked later, and
 * neither is certain; a name that has no address for sure is no server at all.
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
