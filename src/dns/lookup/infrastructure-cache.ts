import { isRegistrySuffix, isWithin, registrableDomain } from '../../rules/hostname.ts';
import type { Delegation } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import { oncePerName } from './once-per-name.ts';
import type { ServerAnswer, ZoneQuery } from './query-servers.ts';
import { querySome } from './query-servers.ts';
import type { SharedAnswers } from './shared-answers.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';
import { confirmingServers, countOf, isCertain } from './zone-cut.ts';

export interface SharedQuery extends ZoneQuery {
  /** the zone whose servers are queried */
  readonly parent: ZoneCut;
  /** may the answers be cached for other checks? */
  readonly cacheable: (answers: readonly ServerAnswer[]) => boolean;
}

/** Names whose answers no customer controls: registry suffixes, and the zones above the platform's targets. */
export interface Infrastructure {
  holds(name: string): boolean;
  /** The answers of two servers, shared by all checks until their TTL expires; also while they are on their way. */
  ask(client: DnsClient, query: SharedQuery): Promise<readonly ServerAnswer[]>;
  /** What such answers say about a delegation, combined once for all checks that share them. */
  delegationIn(answers: readonly ServerAnswer[], combine: () => Delegation): Delegation;
  /** The addresses of a name server, as another check found them for certain; never of one in the hostname's own domain. */
  recallServer(name: string): readonly ZoneServer[] | undefined;
  keepServer(name: string, servers: readonly ZoneServer[], ttlSeconds: number): void;
}

export interface InfrastructureOptions {
  readonly shared: SharedAnswers;
  readonly hostname: string;
  readonly target: string;
  readonly now: () => number;
}

/** A zone above the target that also contains the checked hostname does not count as the platform's. */
export function createInfrastructure({ shared, hostname, target, now }: InfrastructureOptions): Infrastructure {
  const own = registrableDomain(hostname);
  const ask = async (client: DnsClient, { parent, cacheable, ...query }: SharedQuery) => {
    const answers = await querySome(client, parent.servers, query);
    const isWorthKeeping =
      isCertain({ servers: countOf(parent.servers), agreeing: confirmingServers(answers) }) && cacheable(answers);
    return { answers, isWorthKeeping };
  };
  return {
    holds: oncePerName(
      (name) => isRegistrySuffix(name) || (name !== target && isWithin(target, name) && !isWithin(hostname, name)),
    ),
    async ask(client, query) {
      const { name, type } = query.question;
      const key = `${query.parent.apex} ${name} ${type}`;
      const kept = shared.recall(key, now());
      if (kept) return kept;
      const pending = shared.pending(key);
      const others = pending && (await client.beforeDeadline(pending));
      if (others) return others;
      const asked = ask(client, query);
      shared.begin(
        key,
        asked.then(({ answers, isWorthKeeping }) => (isWorthKeeping ? answers : undefined)),
      );
      const { answers, isWorthKeeping } = await asked;
      if (isWorthKeeping) shared.keep(key, answers, now());
      return answers;
    },
    delegationIn: (answers, combine) => shared.delegationIn(answers, combine),
    recallServer: (name) => (isWithin(name, own) ? undefined : shared.recallServer(name, now())),
    keepServer(name, servers, ttlSeconds) {
      if (!isWithin(name, own)) shared.keepServer(name, servers, { now: now(), ttlMs: ttlSeconds * 1_000 });
    },
  };
}
