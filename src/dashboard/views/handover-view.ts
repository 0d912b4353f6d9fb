import type { HandoverView } from '../../use-cases/handover-links.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ProblemView } from '../notice.ts';
import type { RecordRow } from '../record-rows.ts';
import { isChange, labelledRows, recordRows } from '../record-rows.ts';
import type { ViewContext } from '../view-context.ts';
import { card, domainName, nothing, platformOf, time, timeAlone } from './elements.ts';
import { recordCard } from './handover-records-view.ts';
import { whenAgain } from './problem-view.ts';

/** A longer name is set smaller, so that what to do is still in the first view of a small phone. */
const longName = 60;

/**
 * The page that a hand-over link opens, for whoever manages the DNS of one domain: who sends it, every record as the domain's own
 * page has it, in the order in which they are changed, and what comes of it. The script asks for it again and replaces each child of
 * `#records-live` that has changed.
 */
export function handoverMain(view: ViewContext, model: HandoverView): Html {
  const { hostname, domain, dnsHost } = model;
  const rows = recordRows(domain, dnsHost);
  return html`<p class="${hostname.length > longName ? 'handover-name long' : 'handover-name'}">${asks(view, model)}</p>
    <div id="records-live">${summary(view, rows)} ${records(view, model, rows)} ${footer(view, model, rows)}</div>
    ${afterwards(view, model)}`;
}

/** Who asks for what: the sender in quotation marks, as those are the sender's own words. */
function asks({ words }: ViewContext, { hostname, from }: HandoverView): Content {
  const shown = { hostname: html`<strong>${domainName(hostname)}</strong>` };
  return from === null ? words.say('handover.asked', shown) : words.say('handover.asked-by', { ...shown, from });
}

const isSpreading = ({ status }: RecordRow): boolean => status === 'Stale';

/** How far it is, in numbers. Screen readers are told when it changes. */
function summary({ words }: ViewContext, rows: readonly RecordRow[]): Html {
  const left = rows.filter(isChange).length;
  if (left > 0) return html`<p id="records-summary" role="status">${words.say('handover.left', { count: left })}</p>`;
  return rows.some(isSpreading)
    ? html`<p id="records-summary" role="status">${words.say('handover.spreading')}</p>`
    : html`<p id="records-summary" class="handover-done" role="status">${words.say('handover.done')}</p>`;
}

/** What is to be deleted is counted for itself: a record keeps its id when that has gone. */
function idOf(rows: readonly RecordRow[], index: number): string {
  const deletions = rows.filter(({ act }) => act === 'Delete').length;
  return index < deletions ? `delete-${index}` : `record-${index - deletions}`;
}

function records(view: ViewContext, { hostname, dnsHost }: HandoverView, rows: readonly RecordRow[]): Html {
  const { words } = view;
  const steps = rows.filter(isChange).length;
  const first = rows.findIndex(({ act }) => act === 'Add');
  return html`<section id="records" aria-label="${words.say('handover.title')}">
    <ol class="handover-records">
      ${labelledRows(rows).map((labelled, index) =>
        recordCard(view, {
          ...{ id: idOf(rows, index), labelled, hostname, labels: dnsHost?.labels, isMain: index === first },
          step: steps > 1 && isChange(labelled.row) ? rows.slice(0, index + 1).filter(isChange).length : null,
        }),
      )}
    </ol>
    ${steps === 0 && html`<p class="hint">${words.say('handover.keep')}</p>`}
    ${rows.some(({ act }) => act === 'Or') && html`<p class="hint">${words.say('records.alternative')}</p>`}
    ${dnsHost?.labels && html`<p class="hint">${words.say('handover.host', { host: dnsHost.name })}</p>`}
  </section>`;
}

function checks(view: ViewContext, { isChecked, nextCheckAt }: HandoverView): Content {
  if (!isChecked) return view.words.say('handover.unchecked');
  return nextCheckAt === null ? nothing : view.words.say('handover.next-check', { at: timeAlone(view, nextCheckAt) });
}

/** The link back to this page is the main action where no record is left to copy. */
function footer(view: ViewContext, model: HandoverView, rows: readonly RecordRow[]): Html {
  const { words } = view;
  const isMain = rows.some(isChange) && rows.every(({ act }) => act !== 'Add');
  return html`<div id="records-checked" class="actions">
    <a id="check-again" class="${isMain ? 'button main' : 'button'}" href="">${words.say('handover.check-again')}</a>
    <p class="small">${checks(view, model)} ${words.say('handover.expires', { at: time(view, model.expiresAt) })}</p>
  </div>`;
}

/** Why these records, and what comes of them. */
const afterwards = (view: ViewContext, { hostname }: HandoverView): Html =>
  card(
    'after',
    view.words.say('handover.after-title'),
    html`<ul>
      <li>${view.words.say('handover.why', { hostname: domainName(hostname), platform: platformOf(view) })}</li>
      <li>${view.words.say('handover.after')}</li>
      <li>${view.words.say('handover.unsure')}</li>
    </ul>`,
  );

export type HandoverFailure = 'gone' | 'busy' | 'away';

/** Why there is no page of records, and who has to act. `members`: of the problem, which say when to try again. */
export function handoverFailure(view: ViewContext, failure: HandoverFailure, members: ProblemView['members']): Html {
  const { words } = view;
  return html`<section class="card" aria-label="${words.say(`handover.${failure}-title`)}">
    <p role="alert">${failure === 'busy' ? whenAgain(view, members) : words.say(`handover.${failure}`)}</p>
    ${
      failure !== 'gone' &&
      html`<p class="actions"><a class="button main" href="">${words.say('problem.try-again')}</a></p>`
    }
  </section>`;
}
