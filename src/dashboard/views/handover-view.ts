import type { HandoverView } from '../../use-cases/open-handover-link.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import { hostnameText, nothing, time } from './elements.ts';
import { extraCard, isPlaced, isSpreading, recordCard } from './handover-records-view.ts';

/** A longer name is set smaller, so that what to do is still in the first view of a small phone. */
const longName = 60;

/**
 * The page that a hand-over link opens, for whoever manages the DNS of one domain. The script asks for it again and
 * replaces each child of `#records-live` that has changed.
 */
export const handoverMain = (view: ViewContext, model: HandoverView): Html =>
  html`<p class="${model.hostname.length > longName ? 'handover-name long' : 'handover-name'}">
      ${hostnameText(model.hostname)}
    </p>
    <div id="records-live">
      ${summary(view, model)} ${records(view, model)} ${removals(view, model)} ${additions(view, model)}
      ${footer(view, model)}
    </div>`;

const isDone = ({ records: all, remove, alsoAdd }: HandoverView): boolean =>
  all.every(isPlaced) && remove.length + alsoAdd.length === 0;

/** How far it is, in numbers. Screen readers are told when it changes. */
function summary({ words }: ViewContext, model: HandoverView): Html {
  const { records: all, remove, alsoAdd } = model;
  if (isDone(model))
    return html`<p id="records-summary" class="handover-done" role="status">${words.say('handover.done')}</p>`;
  const found = all.filter(isPlaced).length;
  return html`<p id="records-summary" role="status">
    ${words.say('handover.found', { found, total: all.length })}
    ${remove.length === 0 ? nothing : words.say('handover.to-delete', { count: remove.length })}
    ${alsoAdd.length === 0 ? nothing : words.say('handover.to-add', { count: alsoAdd.length })}
  </p>`;
}

function records(view: ViewContext, model: HandoverView): Html {
  const { hostname, records: all, dnsHost } = model;
  const first = all.findIndex((record) => !isPlaced(record) && !isSpreading(record));
  return html`<section id="records" aria-label="${view.words.say('handover.title')}">
    <p class="hint">${view.words.say(introduction(model, first))}</p>
    <ol class="handover-records">
      ${all.map((record, index) =>
        recordCard(view, { id: `record-${index}`, record, hostname, labels: dnsHost?.labels, isMain: index === first }),
      )}
    </ol>
    ${dnsHost?.labels ? html`<p class="hint">${view.words.say('handover.host', { host: dnsHost.name })}</p>` : nothing}
  </section>`;
}

function introduction({ records: all }: HandoverView, first: number) {
  if (first !== -1) return 'handover.add';
  return all.some(isSpreading) ? 'handover.spreading' : 'handover.keep';
}

const removals = (view: ViewContext, { remove, dnsHost }: HandoverView): Html =>
  html`<section id="records-delete" aria-labelledby="delete-title" ${remove.length === 0 ? html`hidden` : nothing}>
    <h2 id="delete-title">${view.words.say('handover.delete')}</h2>
    <p class="hint">${view.words.say('handover.delete-hint')}</p>
    <ol class="handover-records">
      ${remove.map((record, index) => extraCard(view, { id: `delete-${index}`, record, labels: dnsHost?.labels }))}
    </ol>
  </section>`;

const additions = (view: ViewContext, { alsoAdd, dnsHost }: HandoverView): Html =>
  html`<section id="records-also" aria-labelledby="also-title" ${alsoAdd.length === 0 ? html`hidden` : nothing}>
    <h2 id="also-title">${view.words.say('handover.also-add')}</h2>
    <ol class="handover-records">
      ${alsoAdd.map((record, index) =>
        extraCard(view, { id: `also-${index}`, record, labels: dnsHost?.labels, isAddition: true }),
      )}
    </ol>
  </section>`;

function checks(view: ViewContext, { isChecked, nextCheckAt }: HandoverView): Content {
  if (!isChecked) return view.words.say('handover.unchecked');
  return nextCheckAt === null ? nothing : view.words.say('handover.next-check', { at: time(view, nextCheckAt) });
}

/** The link back to this page is the main action where no record is left to copy. */
function footer(view: ViewContext, model: HandoverView): Html {
  const { words } = view;
  const { records: all, expiresAt } = model;
  const isMain = !isDone(model) && all.every(isPlaced);
  return html`<div id="records-checked" class="actions">
    <a id="check-again" class="${isMain ? 'button main' : 'button'}" href="">${words.say('handover.check-again')}</a>
    <p class="small">${checks(view, model)} ${words.say('handover.expires', { at: time(view, expiresAt) })}</p>
  </div>`;
}

export type HandoverFailure = 'gone' | 'busy' | 'away';

/** Why there is no page of records, and who has to act. `seconds`: how long to wait. */
export const handoverFailure = ({ words }: ViewContext, failure: HandoverFailure, seconds: number): Html =>
  html`<section class="card" aria-label="${words.say(`handover.${failure}-title`)}">
    <p role="alert">
      ${failure === 'busy' ? words.say('handover.busy', { count: seconds }) : words.say(`handover.${failure}`)}
    </p>
    ${
      failure === 'gone'
        ? nothing
        : html`<p class="actions"><a class="button main" href="">${words.say('handover.try-again')}</a></p>`
    }
  </section>`;
