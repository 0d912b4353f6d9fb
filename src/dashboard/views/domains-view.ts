import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainsModel, ListNotice } from '../view-models.ts';
import { addingSection } from './add-form-view.ts';
import { listSection } from './domain-list-view.ts';
import { domainName, nothing, outside, trail } from './elements.ts';
import type { PlatformAddress } from './platform-address.ts';
import { platformAddress } from './platform-address.ts';
import { refusalText } from './problem-view.ts';

/** A project's page: the form that adds a domain, and the domains. */
export function domainsMain(view: ViewContext, { notice, adding, list }: DomainsModel): Html {
  const { words } = view;
  const { kind } = adding.terms;
  return html`${trail(view)}${notice !== null && noticeBox(view, notice, list.project.name)}
    ${addingSection(view, adding, notice?.kind !== 'first-only')} ${listSection(view, list, kind === 'open')}
    <p class="lead">${online(words, platformAddress(list.project), kind === 'plan')}</p>`;
}

function online(words: ViewContext['words'], found: PlatformAddress, isSaidElsewhere: boolean): Content {
  if (found.kind === 'pending') return words.say('domains.setting-up');
  if (found.kind === 'refused') return words.say('domains.not-served', { why: found.why });
  return isSaidElsewhere ? nothing : words.say('domains.served', { hostname: outside(found.hostname) });
}

/** The one that was added comes first: its records are what has to be created now. */
function noticeBox(view: ViewContext, notice: ListNotice, project: string): Html {
  const { words } = view;
  if (notice.kind === 'none-selected')
    return html`<div class="notice problem" role="alert"><p>${words.say('bulk.none')}</p></div>`;
  const [first, other] = [domainName(notice.first), domainName(notice.other)];
  const here = paths.domain(project, notice.first);
  return html`<div class="notice problem" role="alert">
    <p><strong>${words.say('add.first-only', { first, other })}</strong></p>
    <p class="actions">
      <a class="button main" href="${here}">${words.say('add.first-only-next', { first })}</a>
    </p>
    <p>${refusalText(view, notice.problem)}</p>
  </div>`;
}
