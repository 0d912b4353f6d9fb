import { randomInt } from 'node:crypto';
import type { UnknownCause } from '../dns-facts.ts';
import type { Asking } from './check-budget.ts';
import type { Question, Response } from './dns-message.ts';
import type { ZoneServer } from './zone-cut.ts';

/** What one server of a zone said. */
export interface ServerAnswer {
  readonly server: ZoneServer;
  readonly response: Response;
}

/** Servers of infrastructure that have to say the same, and how many are tried until two have spoken. */
const wanted = 2;
const tried = 6;

/** Is the response one that its server can stand behind: from its own zone, or a delegation out of it? */
type Usable = (response: Response) => boolean;

/** Every server of the zone; those that say nothing usable are left out. */
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

/** Two of the servers, drawn by chance, and others in the place of those that say nothing usable. */
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
