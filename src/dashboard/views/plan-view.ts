import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { UsageWindow, PlanOffer } from '../../use-cases/account-and-usage.ts';
import type { ViewContext } from '../view-context.ts';
import type { PlanModel } from '../view-models.ts';
import { bareTime, card, nothing, support, tableHead, time } from './elements.ts';

const retryAfter = html`<code>Retry-After</code>`;

export const planMain = (view: ViewContext, model: PlanModel): Html =>
  html`${model.ban === null ? nothing : banned(view, model.ban)} ${yours(view, model)}
  ${planComparison(view, model.plans)} ${usage(view, model)} ${advice(view)}`;

const banned = (view: ViewContext, { until }: NonNullable<PlanModel['ban']>): Html =>
  html`<div class="notice problem" role="status">
    <p>
      <strong>${view.words.say('plan.banned', { at: bareTime(view, until) })}</strong>
      ${view.words.say('plan.banned-detail', { header: retryAfter })}
    </p>
  </div>`;

/** On a plan without custom domains, upgrading is the page's action; while the key is banned, waiting is. */
function yours(view: ViewContext, { account, ban }: PlanModel): Html {
  const { words } = view;
  const { rateLimit, customDomains, maximum } = account.limits;
  const { enabled, maxPerProject } = customDomains;
  const { projects, domains, apiKeys: keys } = maximum;
  return html`<section class="card" aria-labelledby="plan-title">
    <h2 id="plan-title">${words.say('plan.yours', { plan: planName(account.plan) })}</h2>
    ${!enabled && html`<p>${words.say('plan.free-lead')}</p>`} ${upgrade(view, !enabled && ban === null)}
    <dl class="facts">
      <dt>${words.say('plan.account')}</dt>
      <dd>${account.name}</dd>
      <dt>${words.say('plan.domains')}</dt>
      <dd>
        ${enabled ? words.say('plan.domains-included', { count: maxPerProject }) : words.say('plan.domains-none')}
      </dd>
      <dt>${words.say('plan.total')}</dt>
      <dd>${words.say('plan.total-value', { projects, domains, keys })}</dd>
      <dt>${words.say('plan.requests')}</dt>
      <dd>
        ${words.say('plan.requests-value', { minute: rateLimit.requestsPerMinute, day: rateLimit.requestsPerDay })}
      </dd>
    </dl>
  </section>`;
}

function upgrade(view: ViewContext, isMain: boolean): Html {
  const { words, brand } = view;
  if (brand.upgradeUrl === null) return html`<p>${words.say('plan.upgrade-ask', { support: support(view) })}</p>`;
  const label = words.say(isMain ? 'plan.upgrade' : 'plan.change');
  return html`<p class="actions">
    <a class="button ${isMain ? 'main' : ''}" id="upgrade" href="${brand.upgradeUrl}" rel="noopener">${label}</a>
  </p>`;
}

function usage(view: ViewContext, { minute, day }: PlanModel): Html {
  const { words } = view;
  return card(
    'usage',
    words.say('plan.usage'),
    html`<p class="hint">${words.say('plan.usage-hint')}</p>
      ${meter(view, 'minute', minute)}${meter(view, 'day', day)}`,
  );
}

function meter(view: ViewContext, id: 'minute' | 'day', { limit, used, remaining, resetAt }: UsageWindow): Html {
  const most = Math.max(limit, 1);
  const more = html`<span data-over="${resetAt}">${view.words.say('plan.more', { at: time(view, resetAt) })}</span>`;
  return html`<div class="meter">
    <label for="usage-${id}">${view.words.say(id === 'day' ? 'plan.today' : 'plan.this-minute')}</label>
    <meter
      id="usage-${id}"
      min="0"
      max="${most}"
      high="${most * 0.9}"
      optimum="0"
      value="${Math.min(used, most)}"
    ></meter>
    <p>${view.words.say('plan.used', { used, limit, remaining })} ${used > 0 && more}</p>
  </div>`;
}

/** What integrations have to do about 429. */
function advice({ words }: ViewContext): Html {
  return card(
    'over',
    words.say('plan.over'),
    html`<ol>
      <li>${words.say('plan.over-wait', { header: retryAfter })}</li>
      <li>${words.say('plan.over-backoff')}</li>
      <li>${words.say('plan.over-ban')}</li>
      <li>${words.say('plan.over-upgrade')}</li>
    </ol>`,
  );
}

/** A plan's name as a proper name: `pro` is Pro. */
export const planName = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

const columns = ['plan', 'minute', 'day', 'domains'] as const;

/** All plans beside each other; nothing if there is only one. */
function planComparison(view: ViewContext, offers: readonly PlanOffer[]): Html {
  const { words } = view;
  if (offers.length < 2) return nothing;
  return card(
    'compare',
    words.say('plan.compare'),
    html`<table class="stack plans" aria-labelledby="compare-title">
      ${tableHead(columns.map((column) => words.say(`plan.column-${column}`)))}
      <tbody>
        ${offers.map((offer) => row(view, offer))}
      </tbody>
    </table>`,
  );
}

function row({ words }: ViewContext, offer: PlanOffer): Html {
  const { name, requestsPerMinute, requestsPerDay, domainsPerProject: count, negotiated, own } = offer;
  const domains = count === 0 ? words.say('plan.domains-none') : words.say('plan.domains-included', { count });
  const cells: readonly (readonly [label: Content, value: Content])[] = [
    [words.say('plan.column-minute'), words.number(requestsPerMinute)],
    [words.say('plan.column-day'), words.number(requestsPerDay)],
    [words.say('plan.column-domains'), domains],
  ];
  return html`<tr ${own && html`class="own"`}>
    <th scope="row">${planName(name)} ${own && html`<span class="tag">${words.say('plan.own')}</span>`}</th>
    ${cells.map(([label, value]) => html`<td data-label="${label}">${negotiated ? words.say('plan.custom') : value}</td>`)}
  </tr>`;
}
