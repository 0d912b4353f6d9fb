import { randomInt } from 'node:crypto';
import type { UnknownCause } from '../dns-facts.ts';
import type { Asking } from './check-budget.ts';
import type { Question, Response } from './dns-message.ts';
import type { ZoneServer } from './zone-cut.ts';

/** The response of one server of a zone. */
export interface ServerAnswer {
  readonly server: ZoneServer;
  readonly response: Response;
}

/** Usable answers that are enough, and servers that are tried to get them. */
const wanted = 2;
const tried = 6;

/** Is the response authoritative, or a delegation out of the server's zone? */
type Usable = (response: Response) => boolean;

/** Queries every server of the zone; leaves out those without a usable answer. */
export async function askAll(
  asking: Asking,
  servers: readonly ZoneServer[],
  question: Question,
  usable: Usable,
): Promise<readonly ServerAnswer[]> {
  const answers = await Promise.all(servers.map((server) => askOne(asking, server, question)));
  return answers.flatMap(({ server, response }) =>
    typeof response !== 'string' && usable(response) ? [{ server, response }] : [],
  );
}

/** Queries two of the servers, starting at a random one, and others in place of those without a usable answer. */
export async function askSome(
  asking: Asking,
  servers: readonly ZoneServer[],
  question: Question,
  usable: Usable,
): Promise<readonly ServerAnswer[]> {
  const reachable = servers.filter(({ endpoint }) => endpoint !== null);
  const start = reachable.length === 0 ? 0 : randomInt(reachable.length);
  const open = [...reachable.slice(start), ...reachable.slice(0, start)].slice(0, tried);
  const answers: ServerAnswer[] = [];
  while (answers.length < wanted && open.length > 0) {
    answers.push(...(await askAll(asking, open.splice(0, wanted - answers.length), question, usable)));
  }
  return answers;
}

async function askOne(
  asking: Asking,
  server: ZoneServer,
  question: Question,
): Promise<{ readonly server: ZoneServer; readonly response: Response | UnknownCause }> {
  const { endpoint } = server;
  return { server, response: endpoint ? await asking.ask(endpoint, question) : 'unreachable' };
}
