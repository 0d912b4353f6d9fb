import { randomInt } from 'node:crypto';
import type { UnknownCause } from '../dns-facts.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { DnsClient } from './dns-client.ts';
import type { Question, Response } from '../wire/dns-message.ts';
import type { Retry } from './query-tries.ts';
import type { ZoneServer } from './zone-cut.ts';

/** The response of one server of a zone, and the address that gave it. */
export interface ServerAnswer {
  readonly server: ZoneServer;
  readonly endpoint: Endpoint;
  readonly response: Response;
}

/** Usable answers that are enough, and servers that are tried to get them. */
const wanted = 2;
const tried = 6;

/** Is the response authoritative, or a delegation out of the server's zone? */
export type Usable = (response: Response) => boolean;

/** A question to the servers of a zone. */
export interface ZoneQuery {
  readonly question: Question;
  readonly usable: Usable;
  /** an answer helps and its absence decides nothing, so a timeout is not tried again */
  readonly isOptional?: boolean;
}

/** What came of a query to one server, at whichever of its addresses. */
export interface ServerResult {
  readonly server: ZoneServer;
  /** the address that was queried last; null when the server's name has none */
  readonly endpoint: Endpoint | null;
  readonly response: Response | UnknownCause;
}

/**
 * Queries every server of the zone at the same time. A timeout is tried again while fewer than two servers have given a
 * usable answer, and a third time while none has; so silent servers delay a verdict only where they are needed.
 */
export async function queryAll(
  client: DnsClient,
  servers: readonly ZoneServer[],
  { question, usable }: ZoneQuery,
): Promise<readonly ServerResult[]> {
  let answered = 0;
  const retry: Retry = (tries) => answered < (tries < 2 ? wanted : 1);
  return Promise.all(
    servers.map(async (server) => {
      const result = await queryServer(client, server, question, retry);
      if (typeof result.response !== 'string' && usable(result.response)) answered += 1;
      return result;
    }),
  );
}

/** The usable answers among results. */
export const usableAnswers = (results: readonly ServerResult[], usable: Usable): readonly ServerAnswer[] =>
  results.flatMap(({ server, endpoint, response }) =>
    endpoint !== null && typeof response !== 'string' && usable(response) ? [{ server, endpoint, response }] : [],
  );

/** Queries two of the servers, and others in place of those without a usable answer; timeouts are tried again last. */
export async function querySome(
  client: DnsClient,
  servers: readonly ZoneServer[],
  { question, usable, isOptional = false }: ZoneQuery,
): Promise<readonly ServerAnswer[]> {
  const open = inTurn(client, servers).slice(0, tried);
  const answers: ServerAnswer[] = [];
  const isWorthIt: Retry = (tries) => open.length === 0 && answers.length < (tries < 2 ? wanted : 1);
  const retry = isOptional ? null : isWorthIt;
  while (answers.length < wanted && open.length > 0) {
    const next = open.splice(0, wanted - answers.length);
    const results = await Promise.all(next.map((server) => queryServer(client, server, question, retry)));
    answers.push(...usableAnswers(results, usable));
  }
  return answers;
}

/** The first usable answer; two servers are queried at a time, and null when no server gives one. */
export async function queryFirst(
  client: DnsClient,
  servers: readonly ZoneServer[],
  { question, usable, isOptional = false }: ZoneQuery,
): Promise<ServerAnswer | null> {
  const open = inTurn(client, servers).slice(0, tried);
  const isWorthIt: Retry = (tries) => open.length === 0 && tries < 2;
  const retry = isOptional ? null : isWorthIt;
  while (open.length > 0) {
    const results = open.splice(0, wanted).map((server) => queryServer(client, server, question, retry));
    const found = await firstOf(results, usable);
    if (found) return found;
  }
  return null;
}

const firstOf = (results: readonly Promise<ServerResult>[], usable: Usable): Promise<ServerAnswer | null> =>
  Promise.any(
    results.map(async (result) => {
      const [answer] = usableAnswers([await result], usable);
      return answer ?? Promise.reject(new Error('no usable answer'));
    }),
  ).catch(() => null);

/** Servers that have answered within this factor of the fastest one take turns with it, so that no server gets all. */
const similarly = 4;
const similarlyMs = 50;

/** In random order, but much slower servers last. */
function inTurn({ memory }: DnsClient, servers: readonly ZoneServer[]): ZoneServer[] {
  const reachable = servers.filter(({ endpoints }) => endpoints.length > 0);
  const start = reachable.length === 0 ? 0 : randomInt(reachable.length);
  const rotated = [...reachable.slice(start), ...reachable.slice(0, start)];
  const msOf = ({ endpoints }: ZoneServer) => memory.roundTripMs(endpoints[0]?.address ?? '') ?? 0;
  const known = rotated.map(msOf).filter((ms) => ms > 0);
  const slowest = Math.max(similarlyMs, Math.min(...known) * similarly);
  return [
    ...rotated.filter((server) => msOf(server) <= slowest),
    ...rotated.filter((server) => msOf(server) > slowest),
  ];
}

const never: Retry = () => false;

/** The server's addresses one after the other, until one of them answers. */
async function queryServer(
  client: DnsClient,
  server: ZoneServer,
  question: Question,
  retry: Retry | null,
): Promise<ServerResult> {
  const { endpoints } = server;
  for (const [index, endpoint] of endpoints.entries()) {
    const isLast = index === endpoints.length - 1;
    const response = await client.query(endpoint, question, isLast || retry === null ? retry : never);
    if (isLast || !isUnreached(response)) return { server, endpoint, response };
  }
  return { server, endpoint: null, response: 'unreachable' };
}

const isUnreached = (response: Response | UnknownCause): boolean =>
  response === 'timeout' || response === 'unreachable' || response === 'address-not-allowed';
