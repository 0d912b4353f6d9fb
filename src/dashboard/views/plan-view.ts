import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { UsageWindow } from '../../use-cases/account-and-usage.ts';
import type { PlanModel } from '../view-models.ts';
import type { ViewContext } from '../view-context.ts';
import { bareTime, nothing, support, time } from './elements.ts';
import { planComparison, planName } from './plan-comparison.ts';

/** RFC 3339 of Unix seconds. */
const timestampOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

const retryAfter = html`<code>Retry-After</code>`;

export const planMain = (view: ViewContext, model: PlanModel): Html =>
  html`${model.ban === null ? nothing : banned(view, model.ban)} ${yours(view, model)}
  ${planComparison(view, model.plans)} ${usage(view, model)} ${advice(view)}`;

const banned = (view: ViewContext, { until }: NonNullable<PlanModel['ban']>): Html =>
  html`<div class="notice problem" role="status">
    <p>
      <strong>${view.words.say('plan.banned', { at: bareTime(view, timestampOf(until)) })}</strong>
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
    ${enabled ? nothing : html`<p>${words.say('plan.free-lead')}</p>`} ${upgrade(view, !enabled && ban === null)}
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
  return html`<section class="card" aria-labelledby="usage-title">
    <h2 id="usage-title">${words.say('plan.usage')}</h2>
    <p class="hint">${words.say('plan.usage-hint')}</p>
    ${meter(view, { id: 'minute', label: words.say('plan.this-minute') }, minute)}
    ${meter(view, { id: 'day', label: words.say('plan.today') }, day)}
  </section>`;
}

interface Meter {
  readonly id: string;
  readonly label: Content;
}

function meter(view: ViewContext, { id, label }: Meter, { limit, used, remaining, resetAt }: UsageWindow): Html {
  const most = Math.max(limit, 1);
  const until = timestampOf(resetAt);
  const more = html`<span data-over="${until}">${view.words.say('plan.more', { at: time(view, until) })}</span>`;
  return html`<div class="meter">
    <label for="usage-${id}">${label}</label>
    <meter
      id="usage-${id}"
      min="0"
      max="${most}"
      high="${most * 0.9}"
      optimum="0"
      value="${Math.min(used, most)}"
    ></meter>
    <p>${view.words.say('plan.used', { used, limit, remaining })} ${used === 0 ? nothing : more}</p>
  </div>`;
}

/** What integrations have to do about 429. */
function advice({ words }: ViewContext): Html {
  return html`<section class="card" aria-labelledby="over-title">
    <h2 id="over-title">${words.say('plan.over')}</h2>
    <ol>
      <li>${words.say('plan.over-wait', { header: retryAfter })}</li>
      <li>${words.say('plan.over-backoff')}</li>
      <li>${words.say('plan.over-ban')}</li>
      <li>${words.say('plan.over-upgrade')}</li>
    </ol>
  </section>`;
}
