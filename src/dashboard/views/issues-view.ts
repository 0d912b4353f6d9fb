import type { FormLabels } from '../../help/dns-host-advice.ts';
import { actorWords, formFields } from '../../help/issue-help.ts';
import { helpTextOf } from '../../help/reason-help.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs } from '../../rules/issue-acts.ts';
import { issueSentence } from '../../rules/issue-params.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { DomainView } from '../../use-cases/describe-domain.ts';
import type { IssueView, RecordRefView } from '../../use-cases/issue-view.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainModel } from '../view-models.ts';
import { nothing, sentence, time } from './components.ts';

/** What was found in DNS, what is needed, and the steps from one to the other. */
export function foundSection({ domain, checkedAt }: DomainModel): Html {
  const { issues, dnsHost, state, lingersUntil } = domain;
  const isClear = issues.every(({ severity }) => severity === 'Warning');
  return html`<section class="card" id="found" aria-labelledby="found-title">
    <h2 id="found-title">What was found</h2>
    ${isClear ? html`<p>${allClear(domain, checkedAt)}</p>` : nothing}
    ${lingersUntil === null ? nothing : html`<p>Some visitors may still reach the old server until ${time(lingersUntil)}.</p>`}
    ${issues.map((each) => issue(each, { state, labels: dnsHost?.labels }))}
    ${checkedAt === null ? nothing : html`<p class="small">DNS was last checked on ${time(checkedAt)}.</p>`}
  </section>`;
}

function allClear({ state, issues }: DomainView, checkedAt: string | null): string {
  if (state === 'Pending') return 'DNS is not checked yet: something else comes first, see above.';
  if (checkedAt === null) return 'DNS has not been checked yet. That happens automatically within seconds.';
  if (state === 'Unverified') return 'Nothing that is in the way. We check DNS again automatically.';
  return issues.length === 0 ? 'Everything in DNS is as it should be.' : 'The records in DNS are as they should be.';
}

interface Around {
  readonly state: DomainView['state'];
  readonly labels: FormLabels | undefined;
}

function issue(each: IssueView, { state, labels }: Around): Html {
  const { code, severity, servers, since, hoursUntilSeen, actor } = each;
  const title = helpTextOf(state === 'Degraded' ? state : 'Unverified', code).title;
  return html`<div class="${severity === 'Warning' ? 'issue warning' : 'issue'}">
    <h3>${severity === 'Warning' ? 'Warning: ' : ''}${title}</h3>
    <p>${sentence(sentenceOf(each))}</p>
    ${
      servers.length === 0
        ? nothing
        : html`<ul>
            ${servers.map(server)}
          </ul>`
    }
    <dl>
      ${steps(each, labels)}
      <dt>Who</dt>
      <dd>${actorWords[actor]}</dd>
      ${
        hoursUntilSeen === null
          ? nothing
          : html`<dt>How long</dt>
              <dd>A registry may take up to ${hoursUntilSeen} hours to show the change.</dd>`
      }
    </dl>
    <p class="small">Code: <code>${code}</code>${since === null ? '' : html`, since ${time(since)}`}</p>
  </div>`;
}

const server = ({ server: name, address, answer }: IssueView['servers'][number]): Html =>
  html`<li><code>${name}</code>${address === '' ? '' : ` (${address})`}: ${answer}</li>`;

/** What was found, the records to delete and to create; or what to do where no record is to be changed. */
function steps(each: IssueView, labels: FormLabels | undefined): Html {
  const { record, create } = each;
  const isChange = each.delete.length + create.length > 0;
  return html`${
    record === '' || each.delete.length > 0
      ? nothing
      : html`<dt>Found</dt>
          <dd><code>${record}</code></dd>`
  }
  ${each.delete.map((one) => step('Found, delete it', one, labels))}
  ${create.map((one) => step('Missing, create it', one, labels))}
  ${
    isChange
      ? nothing
      : html`<dt>To do</dt>
          <dd>${sentence(actOf(each))}</dd>`
  }`;
}

const step = (act: string, one: RecordRefView, labels: FormLabels | undefined): Html =>
  html`<dt>${act}</dt>
    <dd class="fields">
      ${formFields(one, labels).map(({ label, value }) => html`<span>${label} <code>${value}</code></span> `)}
      <span class="hint">Full name: <code>${one.fqdn}</code></span>
    </dd>`;

/** What was found, from the code and its parameters; the message where another version's code is unknown here. */
function sentenceOf({ code, act, params, message }: IssueView): string {
  return act !== null && isCode(code) ? issueSentence(code, params) : message;
}

/** What has to be done, from the act, its parameters and the records. */
function actOf(issue: IssueView): string {
  const { act, fix } = issue;
  return act !== null && isAct(act) ? actSentence(act, issue) : fix;
}

const isCode = (code: string): code is DnsCode => Object.hasOwn(verdictCodes, code);
const isAct = (act: string): act is IssueAct => Object.hasOwn(issueActs, act);
