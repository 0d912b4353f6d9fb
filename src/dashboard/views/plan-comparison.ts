import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { PlanOffer } from '../../use-cases/account-and-usage.ts';
import type { ViewContext } from '../view-context.ts';
import { nothing } from './elements.ts';

/** A plan's name as a proper name: `pro` is Pro. */
export const planName = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

const columns = ['plan', 'minute', 'day', 'domains'] as const;

/** All plans beside each other; nothing if there is only one. */
export function planComparison(view: ViewContext, offers: readonly PlanOffer[]): Html {
  const { words } = view;
  if (offers.length < 2) return nothing;
  return html`<section class="card" aria-labelledby="compare-title">
    <h2 id="compare-title">${words.say('plan.compare')}</h2>
    <table class="stack plans" aria-labelledby="compare-title">
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${words.say(`plan.column-${column}`)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${offers.map((offer) => row(view, offer))}
      </tbody>
    </table>
  </section>`;
}

function row({ words }: ViewContext, offer: PlanOffer): Html {
  const { name, requestsPerMinute, requestsPerDay, domainsPerProject, negotiated, own } = offer;
  const agreed = words.say('plan.custom');
  const domains = domainsPerProject === 0 ? words.say('plan.domains-none') : domainsOf(words, domainsPerProject);
  const cells: readonly (readonly [label: Content, value: Content])[] = [
    [words.say('plan.column-minute'), negotiated ? agreed : words.number(requestsPerMinute)],
    [words.say('plan.column-day'), negotiated ? agreed : words.number(requestsPerDay)],
    [words.say('plan.column-domains'), negotiated ? agreed : domains],
  ];
  return html`<tr ${own ? html`class="own"` : nothing}>
    <th scope="row">${planName(name)} ${own ? html`<span class="tag">${words.say('plan.own')}</span>` : nothing}</th>
    ${cells.map(([label, value]) => html`<td data-label="${label}">${value}</td>`)}
  </tr>`;
}

const domainsOf = (words: ViewContext['words'], count: number): Content =>
  words.say('plan.domains-included', { count });
