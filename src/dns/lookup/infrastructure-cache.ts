import { isRegistrySuffix, isWithin } from '../../rules/hostname.ts';
import type { Asking } from './check-budget.ts';
import type { Question, Response } from './dns-message.ts';
import type { ServerAnswer } from './ask-servers.ts';
import { askSome } from './ask-servers.ts';
import type { SharedAnswers } from './shared-answers.ts';
import type { ZoneCut } from './zone-cut.ts';
import { countOf, isCertain } from './zone-cut.ts';

export interface SharedQuestion {
  /** whose servers are asked */
  readonly parent: ZoneCut;
  readonly question: Question;
  readonly usable: (response: Response) => boolean;
  /** may the answers be kept for others? */
  readonly worthy: (answers: readonly ServerAnswer[]) => boolean;
}

/** Names whose answers no customer controls: registries' suffixes, and the zones above the platform's targets. */
export interface Infrastructure {
  holds(name: string): boolean;
  /** Two servers' answers, shared by all checks for as long as they live. */
  ask(asking: Asking, shared: SharedQuestion): Promise<readonly ServerAnswer[]>;
}

export interface InfrastructureOptions {
  readonly shared: SharedAnswers;
  readonly hostname: string;
  readonly target: string;
  readonly now: () => number;
}

/** What the hostname of the check lies in is not taken for the platform's own. */
export function createInfrastructure({ shared, hostname, target, now }: InfrastructureOptions): Infrastructure {
  return {
    holds: (name) => isRegistrySuffix(name) || (name !== target && isWithin(target, name) && !isWithin(hostname, name)),
    async ask(asking, { parent, question, usable, worthy }) {
      const key = `${parent.apex} ${question.name} ${question.type}`;
      const kept = shared.recall(key, now());
      if (kept) return kept;
      const answers = await askSome(asking, parent.servers, question, usable);
      const agreeing = countOf(answers.map(({ server }) => server));
      const certain = isCertain({ servers: countOf(parent.servers), agreeing });
      if (certain && worthy(answers)) shared.keep(key, answers, now());
      return answers;
    },
  };
}
