import type { HelpText } from '../../rules/codes/code-rows.ts';
import { nextStepOf } from '../../rules/next-step.ts';
import { headlineOf } from '../../rules/headline.ts';
import { isWarning } from '../../rules/issue-acts.ts';
import type { DomainSituation } from '../../use-cases/domain-view.ts';
import { stepContextOf } from '../../use-cases/domain-view.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import type { DomainStep } from './step-view.ts';

/**
 * The next step on a domain, from everything its page knows. One that may lead nowhere, such as a second primary that
 * redirects lead to, can only be removed.
 */
export function stepOf(model: DomainSituation & Pick<DomainModel, 'choices'>): DomainStep {
  const step = nextStepOf(model.domain, stepContextOf(model));
  const leadsOn = step.kind === 'make-redirect' || step.kind === 'change-destination';
  return leadsOn && model.choices.destinations.length === 0 ? { ...step, kind: 'remove' } : step;
}

/**
 * What the page and its row in lists say about a domain: its reason; or, for one that is or was served, whatever threatens it or keeps it
 * from coming back.
 */
export function explanationOf({ words }: ViewContext, situation: DomainSituation): HelpText {
  const { domain, refusal } = situation;
  const { state, reason, waits, issues } = domain;
  const { kind, issue } = nextStepOf(domain, stepContextOf(situation));
  if (state === 'Suspended' && refusal !== null && kind !== null)
    return { ...words.help('Pending', refusal), title: words.help(state, reason).title };
  if (state !== 'Live') {
    const errors = issues.filter((one) => !isWarning(one)).map(({ code }) => code);
    return words.help(state, headlineOf(reason, errors));
  }
  if (issue !== null) return words.help(state, issue.code);
  return words.help(state, kind !== null && waits !== null ? waits.reason : reason);
}
