import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { maximumWords } from '../../rules/plan-limits.ts';
import type { UsageWindow } from '../../use-cases/account-and-usage.ts';
import type { PlanModel } from '../view-models.ts';
import { nothing, sentence, time, withoutDomains } from './components.ts';

const numbers = new Intl.NumberFormat('en-GB');

const at = (seconds: number) => time(new Date(seconds * 1_000).toISOString());

export function planMain({ account, minute, day, ban }: PlanModel): Html {
  const { rateLimit, customDomains, maximum } = account.limits;
  return html`${ban === null ? nothing : banned(ban)}
    <section class="card" aria-labelledby="plan-title">
      <h2 id="plan-title">Your plan</h2>
      <dl class="facts">
        <dt>Account</dt>
        <dd>${account.name}</dd>
        <dt>Plan</dt>
        <dd><span class="tag">${account.plan}</span></dd>
        <dt>Custom domains</dt>
        <dd>
          ${customDomains.enabled ? `up to ${numbers.format(customDomains.maxPerProject)} per project` : 'not included'}
        </dd>
        <dt>In total</dt>
        <dd>
          ${Object.entries(maximumWords)
            .map(([thing, word]) => `${numbers.format(maximum[thing as keyof typeof maximum])} ${word}`)
            .join(', ')}
        </dd>
        <dt>API requests</dt>
        <dd>
          ${numbers.format(rateLimit.requestsPerMinute)} a minute, ${numbers.format(rateLimit.requestsPerDay)} a day
        </dd>
      </dl>
    </section>
    ${
      customDomains.enabled
        ? nothing
        : html`<section class="card" aria-labelledby="not-title">
            <h2 id="not-title">What the plan ${account.plan} does not include</h2>
            <p>Projects of this account cannot be served at your own domains.</p>
            ${withoutDomains(null)}
          </section>`
    }
    <section class="card" aria-labelledby="usage-title">
      <h2 id="usage-title">API usage</h2>
      <p class="hint">
        Counted for the whole account, across all of its keys. Using this dashboard counts too, except for signing in,
        signing out and opening this page.
      </p>
      ${meter('minute', 'This minute', minute)} ${meter('day', 'Today', day)}
      <p class="hint">
        More than that is refused with status 429 and the time to wait. To get higher limits, ask the platform for a
        larger plan.
      </p>
    </section>`;
}

const banned = (ban: NonNullable<PlanModel['ban']>): Html =>
  html`<div class="notice problem" role="status">
    <p><strong>The API key you signed in with is banned until ${at(ban.until)}.</strong> ${sentence(ban.reason)}</p>
    <p>It works again automatically then. Programs should wait as long as “Retry-After” says before they try again.</p>
  </div>`;

function meter(id: string, label: string, { limit, used, remaining, resetAt }: UsageWindow): Html {
  const most = Math.max(limit, 1);
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
    <p>
      ${numbers.format(used)} of ${numbers.format(limit)} requests used, ${numbers.format(remaining)} left; more
      available at ${at(resetAt)}
    </p>
  </div>`;
}
