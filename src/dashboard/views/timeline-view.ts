import type { timelineReasons } from '../../rules/timeline.ts';
import type { TimelineEntryView } from '../../use-cases/read-domains.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { bareTime, nothing, sentence, time, timeAlone } from './elements.ts';

/** What happened to a domain, the newest first: states, findings in DNS, orders and certificates. */
export const timelineSection = (view: ViewContext, { timeline }: DomainModel): Html =>
  html`<section class="card" id="timeline" aria-labelledby="timeline-title">
    <h2 id="timeline-title">${view.words.say('timeline.title')}</h2>
    ${
      timeline.length === 0
        ? html`<p>${view.words.say('timeline.empty')}</p>`
        : html`<ol class="timeline">
            ${timeline.filter((entry) => !saidByFinding(entry, timeline)).map((entry) => item(view, entry))}
          </ol>`
    }
  </section>`;

/** A state that was entered because of what the same check found would say the same words twice. */
const saidByFinding = ({ kind, at, reason }: TimelineEntryView, timeline: readonly TimelineEntryView[]): boolean =>
  kind === 'State' &&
  timeline.some((one) => one.kind === 'Finding' && one.reason === 'Appeared' && one.at === at && one.code === reason);

const item = (view: ViewContext, entry: TimelineEntryView): Html =>
  html`<li class="${entry.kind.toLowerCase()}">
    <p>${timeAlone(view, entry.at)} <span>${textOf(view, entry)}</span></p>
    ${detailOf(view, entry)}
  </li>`;

/** What happened, in a few words. An entry of another version is told in the operator's own sentence. */
function textOf(view: ViewContext, entry: TimelineEntryView): Content {
  const { words } = view;
  const { kind, state, reason, code, message } = entry;
  switch (`${kind} ${reason}`) {
    case 'Finding Appeared':
      return words.help('Unverified', code ?? '').title;
    case 'Finding Gone':
      return words.say('timeline.gone', { title: words.help('Unverified', code ?? '').title });
    case 'Order Ordered':
    case 'Order Failed':
    case 'Order Abandoned':
      return orderText(view, entry);
    default:
      if (kind === 'Certificate' && isCertificateChange(reason))
        return words.say(ofCertificate[reason], { time: timeOf(view, reason, entry.params.notAfter ?? '') });
      return kind === 'State' ? words.help(state, reason).title : sentence(view, message);
  }
}

const ofCertificate = {
  Issued: 'timeline.issued',
  Renewed: 'timeline.renewed',
  Revoked: 'timeline.revoked',
  Own: 'timeline.own',
  OwnEnding: 'timeline.own-ending',
  OwnEnded: 'timeline.own-ended',
} as const satisfies Readonly<Record<keyof (typeof timelineReasons)['Certificate'], string>>;

/** `ends soon, on …` and `ended on …`; all others are valid until then. */
const timeOf = (view: ViewContext, reason: keyof typeof ofCertificate, at: string): Content =>
  reason === 'OwnEnding' || reason === 'OwnEnded' ? time(view, at) : bareTime(view, at);

const isCertificateChange = (reason: string): reason is keyof typeof ofCertificate =>
  Object.hasOwn(ofCertificate, reason);

function orderText(view: ViewContext, { reason, params }: TimelineEntryView): Content {
  const { words } = view;
  const { order, until } = params;
  if (reason === 'Ordered') return words.say(order === 'Renewal' ? 'timeline.renewal-ordered' : 'timeline.ordered');
  if (reason === 'Abandoned') return words.say('timeline.abandoned');
  if (until === undefined) return words.say('timeline.failed');
  return words.say('timeline.failed-until', { time: bareTime(view, until) });
}

/** What exactly was found. */
const detailOf = (view: ViewContext, { kind, reason, code, params, message }: TimelineEntryView): Content =>
  kind === 'Finding' && reason === 'Appeared' && code !== null
    ? html`<p class="hint">
        ${sentence(view, view.words.issues.found({ code, act: '', params, message, fix: '', delete: [], create: [] }))}
      </p>`
    : nothing;
