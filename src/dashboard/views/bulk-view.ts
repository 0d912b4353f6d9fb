import type { BulkPlanned, BulkResult } from '../../use-cases/bulk-domains.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import { problemView } from '../notice.ts';
import type { ViewContext } from '../view-context.ts';
import type { BulkPlanModel, BulkResultModel } from '../view-models.ts';
import { strands } from './change-view.ts';
import { csrfField, domainName, nothing, statusPill, tableHead, trail } from './elements.ts';
import { refusalText } from './problem-view.ts';

/** The title of the page that says what would happen. */
export function bulkPlanTitle({ words }: ViewContext, { act, planned }: BulkPlanModel): string {
  const count = planned.filter(({ kind }) => kind === 'will').length;
  return count === 0 ? words.text('bulk.nothing-title') : words.text(`bulk.${act}-title`, { count });
}

/** What would happen to each of the selected domains, and the button that lets it happen. */
export function bulkPlanMain(view: ViewContext, { project, act, planned }: BulkPlanModel): Html {
  const { words } = view;
  const here = paths.project(project.name);
  const going = planned.filter((one) => one.kind === 'will');
  return html`${trail(view, project.name)}
    <section class="card">
      ${
        going.length === 0
          ? html`<p class="actions"><a class="button main" href="${here}">${words.say('bulk.back')}</a></p>`
          : html`<p>${words.say(`bulk.${act}-summary`, { count: going.length, total: planned.length })}</p>
              ${act === 'remove' && consequences(view, going)}
              <form method="post" action="${here}/domains/bulk/confirm" class="actions docked">
                ${csrfField(view)} <input type="hidden" name="act" value="${act}" />
                ${going.map(({ hostname }) => html`<input type="hidden" name="hostname" value="${hostname}" />`)}
                <button class="${act === 'remove' ? 'main danger' : 'main'}">
                  ${words.say(`bulk.${act}-confirm`, { count: going.length })}
                </button>
                <a class="button" href="${here}">${words.say('change.cancel')}</a>
              </form>
              ${act === 'remove' && html`<p>${words.say('bulk.remove-certificates', { count: going.length })}</p>`}`
      }
    </section>
    ${table(
      view,
      'bulk.happens',
      planned.map((one) => ({ hostname: one.hostname, text: outcome(view, act, one) })),
    )}`;
}

type Going = Extract<BulkPlanned, { readonly kind: 'will' }>;

const isLive = ({ state }: Going): boolean => state === 'Live' || state === 'Degraded';

/** What visitors notice of it, as the question before a single Remove says it. */
function consequences({ words }: ViewContext, going: readonly Going[]): Html {
  const live = going.filter(isLive).length;
  const lost = going.reduce((sum, { stranded }) => sum + stranded.count, 0);
  return html`<ul>
    <li>${live === 0 ? words.say('bulk.remove-none-live') : words.say('bulk.remove-live', { count: live })}</li>
    ${lost > 0 && html`<li>${words.say('bulk.remove-strands', { count: lost })}</li>`}
  </ul>`;
}

export function bulkResultTitle({ words }: ViewContext, { act, results }: BulkResultModel): string {
  return words.text(`bulk.${act}-done`, { count: results.filter(isDone).length });
}

/** What happened to each of them. */
export const bulkResultMain = (view: ViewContext, { project, act, results }: BulkResultModel): Html =>
  html`${trail(view, project.name)}
    <p class="actions">
      <a class="button main" href="${paths.project(project.name)}">${view.words.say('bulk.back')}</a>
    </p>
    ${table(
      view,
      'bulk.happened',
      results.map((result) => ({ hostname: result.hostname, text: resultText(view, act, result) })),
    )}`;

const isDone = ({ planned, problem }: BulkResult): boolean => planned.kind === 'will' && problem === null;

function outcome(view: ViewContext, act: BulkPlanModel['act'], planned: BulkPlanned): Content {
  const { words } = view;
  switch (planned.kind) {
    case 'gone':
    case 'declared':
      return words.say(`bulk.${planned.kind}`);
    case 'pending':
      return words.say('bulk.pending', { title: words.help('Pending', planned.reason).title });
    case 'will':
      return act === 'verify' ? words.say('bulk.will-verify') : removal(view, planned);
  }
}

/** What stops, where visitors have it now, and which redirects lose it. */
function removal(view: ViewContext, planned: Going): Content {
  const { words } = view;
  const { hostname, to, state, stranded } = planned;
  if (!isLive(planned)) return [words.say('bulk.will-remove'), strands(view, stranded)];
  return html`${statusPill(view, state === 'Live' ? 'Live' : 'AtRisk')}
  ${to === null ? words.say('bulk.stops', { hostname: domainName(hostname) }) : words.say('bulk.stops-redirect', { to: domainName(to) })}
  ${strands(view, stranded)}`;
}

function resultText(view: ViewContext, act: BulkResultModel['act'], { planned, problem }: BulkResult): Content {
  const { words } = view;
  if (planned.kind !== 'will') return outcome(view, act, planned);
  if (problem === null) return words.say(act === 'verify' ? 'bulk.checked' : 'bulk.removed');
  return html`${words.say('bulk.failed')} ${refusalText(view, problemView(problem))}`;
}

interface Line {
  readonly hostname: string;
  readonly text: Content;
}

const table = ({ words }: ViewContext, title: 'bulk.happens' | 'bulk.happened', lines: readonly Line[]): Content =>
  lines.length === 0
    ? nothing
    : html`<section aria-labelledby="each-title">
        <h2 id="each-title">${words.say(title)}</h2>
        <table class="stack outcomes" aria-labelledby="each-title">
          ${tableHead([words.say('domains.column-hostname'), words.say(title)])}
          <tbody>
            ${lines.map(
              ({ hostname, text }) =>
                html`<tr>
                  <th scope="row">${domainName(hostname)}</th>
                  <td>${text}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>`;
