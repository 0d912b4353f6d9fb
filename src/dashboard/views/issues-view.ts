import { helpTextOf } from '../../help/reason-help.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainView } from '../../use-cases/describe-domain.ts';
import type { DomainModel } from '../view-models.ts';
import { nothing, sentence, time } from './components.ts';

type IssueView = DomainView['issues'][number];

/** What was found in DNS, what is needed, and the steps from one to the other. */
export function foundSection({ domain, checkedAt }: DomainModel): Html {
  return html`<section class="card" id="found" aria-labelledby="found-title">
    <h2 id="found-title">What was found</h2>
    ${domain.issues.length === 0 ? html`<p>${allClear(domain, checkedAt)}</p>` : domain.issues.map((each) => issue(each, domain.state))}
    ${checkedAt === null ? nothing : html`<p class="small">DNS was last checked on ${time(checkedAt)}.</p>`}
  </section>`;
}

function allClear({ state }: DomainView, checkedAt: string | null): string {
  if (state === 'Pending') return 'DNS is not checked yet: something else comes first, see above.';
  if (checkedAt === null) return 'DNS has not been checked yet. That happens automatically within seconds.';
  if (state === 'Unverified') return 'Nothing that is in the way. We check DNS again automatically.';
  return 'Everything in DNS is as it should be.';
}

function issue({ code, message, record, fix }: IssueView, state: DomainView['state']): Html {
  return html`<div class="issue">
    <h3>${helpTextOf(state === 'Degraded' ? state : 'Unverified', code).title}</h3>
    <p>${sentence(message)}</p>
    <dl>
      ${stepsOf(record, fix).map(
        ({ act, what }) =>
          html`<dt>${act}</dt>
            <dd>${what}</dd>`,
      )}
    </dl>
    <p class="small">Code: <code>${code}</code></p>
  </div>`;
}

interface Step {
  readonly act: string;
  readonly what: Html;
}

/** What was found and what is needed: "delete X and create Y" is shown as two steps. */
function stepsOf(record: string, fix: string): readonly Step[] {
  const deletion = [`delete ${record} and `, 'delete it and '].find((start) => record !== '' && fix.startsWith(start));
  const rest = deletion === undefined ? fix : fix.slice(deletion.length);
  const act = deletion === undefined ? 'Found' : 'Found, delete it';
  const found = record === '' ? [] : [{ act, what: html`<code>${record}</code>` }];
  if (!rest.startsWith('create ')) return [...found, { act: 'To do', what: html`${sentence(rest)}` }];
  return [...found, { act: 'Missing, create it', what: html`<code>${rest.slice('create '.length)}</code>` }];
}
