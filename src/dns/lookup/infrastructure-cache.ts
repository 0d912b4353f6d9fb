import { isRegistrySuffix, isWithin } from '../../rules/hostname.ts';
import type { Asking } from './check-budget.ts';
import type { Question, Response } from './dns-message.ts';
import type { ServerAnswer } from './ask-servers.ts';
import { askSome } from './ask-servers.ts';
import type { SharedAnswers } from './shared-answers.ts';
import type { ZoneCut } from './zone-cut.ts';
import { countOf, isCertain } from './zone-cut.ts';

export interface SharedQuestion {
  /** the zone whose servers are queried */
  readonly parent: ZoneCut;
  readonly question: Question;
  readonly usable: (response: Response) => boolean;
  /** may the answers be cached for other checks? */
  readonly cacheable: (answers: readonly ServerAnswer[]) => boolean;
}

/** Names whose answers no customer controls: registry suffixes, and the zones above the platform's targets. */
export interface Infrastructure {
  holds(name: string): boolean;
  /** The answers of two servers, shared by all checks until their TTL expires. */
  ask(asking: Asking, shared: SharedQuestion): Promise<readonly ServerAnswer[]>;
}

export interface InfrastructureOptions {
  readonly shared: SharedAnswers;
  readonly hostname: string;
  readonly target: string;
  readonly now: () => number;
}

/** A zone above the target that also contains the checked hostname does not count as the platform's. */
export function createInfrastructure({ shared, hostname, target, now }: InfrastructureOptions): Infrastructure {
  return {
    holds: (name) => isRegistrySuffix(name) || (name !== target && isWithin(target, name) && !isWithin(hostname, name)),
    async ask(asking, { parent, question, usable, cacheable }) {
      const key = `${parent.apex} ${question.name} ${question.type}`;
      const kept = shared.recall(key, now());
      if (kept) return kept;
      const answers = await askSome(asking, parent.servers, question, usable);
      const agreeing = countOf(answers.map(({ server }) => server));
      const certain = isCertain({ servers: countOf(parent.servers), agreeing });
      if (certain && cacheable(answers)) shared.keep(key, answers, now());
      return answers;
    },
  };
}
