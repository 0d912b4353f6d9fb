import { paths } from '../dashboard-page.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { nothing } from './elements.ts';
import type { DomainStep } from './step-view.ts';
import { endsWithCheck, removeLink, verifyForm } from './step-view.ts';

/** Everything that can be done with a domain beside the primary action, and nothing that would be refused. */
export function domainMenu(view: ViewContext, model: DomainModel, step: DomainStep): Html {
  const { words } = view;
  const { project, domain, choices } = model;
  const here = paths.domain(project.name, domain.hostname);
  const link = (
    to: 'primary' | 'redirect',
    label: 'act.make-primary' | 'act.change-destination' | 'act.make-redirect',
  ) => html`<a class="button" href="${here}/${to}">${words.say(label)}</a>`;
  const redirects = step.kind !== 'make-redirect' && step.kind !== 'change-destination';
  const items: readonly Html[] = [
    // A Pending domain waits for something other than DNS: there is nothing to verify.
    ...(domain.state === 'Pending' || endsWithCheck(step) ? [] : [verifyForm(view, model, '')]),
    ...(choices.canBePrimary ? [link('primary', 'act.make-primary')] : []),
    ...(redirects && choices.destinations.length > 0
      ? [link('redirect', domain.role === 'redirect' ? 'act.change-destination' : 'act.make-redirect')]
      : []),
    ...(step.kind === 'remove' ? [] : [removeLink(view, model, '')]),
  ];
  if (items.length === 0) return nothing;
  return html`<details class="menu" id="menu">
    <summary class="button">${words.say('act.menu')}</summary>
    <div class="items">${items}</div>
  </details>`;
}
