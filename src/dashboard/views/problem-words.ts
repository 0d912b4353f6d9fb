import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ProblemView } from '../notice.ts';
import type { ViewContext } from '../view-context.ts';
import { time } from './elements.ts';
import { whenAgain } from './when-again.ts';

interface ProblemWords {
  readonly title: string;
  /** what to do */
  readonly detail: Content;
}

/** The words for a problem: those of its reason, of what is missing, or of its code. */
export function problemWords(view: ViewContext, problem: ProblemView): ProblemWords {
  const { words } = view;
  const { code, members } = problem;
  if (typeof members.reason === 'string') {
    const { title, todo } = words.help('Pending', members.reason);
    return { title, detail: todo };
  }
  const missing = missingTitle(view, members);
  if (missing !== null) return { title: missing, detail: words.problems['not-found'].todo };
  return { title: words.problems[code].title, detail: detailOf(view, problem) };
}

function missingTitle({ words }: ViewContext, { missing, name }: ProblemView['members']): string | null {
  if (typeof name !== 'string') return null;
  if (missing === 'project') return words.text('problem.no-project', { name });
  if (missing === 'domain') return words.text('problem.no-domain', { name });
  return missing === 'key' ? words.text('problem.no-key', { name }) : null;
}

const isScope = (scope: unknown): scope is 'domains:read' | 'domains:write' | 'keys:write' =>
  scope === 'domains:read' || scope === 'domains:write' || scope === 'keys:write';

const isField = (field: unknown): field is 'name' | 'scopes' | 'expiresAt' | 'hostname' =>
  field === 'name' || field === 'scopes' || field === 'expiresAt' || field === 'hostname';

/** The first field of a form that was refused. */
function fieldOf({ errors }: ProblemView['members']): unknown {
  const [first] = Array.isArray(errors) ? (errors as readonly { readonly field: string }[]) : [];
  return first?.field.split('.')[0];
}

function detailOf(view: ViewContext, { code, detail, members }: ProblemView): Content {
  const { words } = view;
  const { scope, until, setting } = members;
  if (code === 'scope-missing' && isScope(scope))
    return words.say('problem.scope-missing-scope', { scope: words.text(`scope.${scope}`) });
  if (code === 'cross-site' && typeof setting === 'string') return words.say('problem.cross-site-setting', { setting });
  if (code === 'quota-exceeded') return [whenAgain(view, members), ' ', words.problems[code].todo];
  if (code === 'abnormal-usage-detected' && typeof until === 'string')
    return words.say('problem.abnormal-usage-detected-until', { at: time(view, until) });
  if (code !== 'malformed-request') return words.problems[code].todo;
  const field = fieldOf(members);
  return isField(field) ? words.say(`field.${field}`) : [words.problems[code].todo, ` (${detail})`];
}

/** Why something was refused and what to do, within a page about something else; with the code. */
export function refusalText(view: ViewContext, problem: ProblemView): Html {
  const { title, detail } = problemWords(view, problem);
  return html`<strong>${title}.</strong> ${detail} <code>${problem.code}</code>`;
}
