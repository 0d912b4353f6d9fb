import type { CodeRow, IssuePlace, Symptom } from '../../rules/codes/code-rows.ts';
import { nowhere, symptoms } from '../../rules/codes/code-rows.ts';
import { dnssecFaultKinds } from '../../rules/dnssec-sentences.ts';
import { domainStates } from '../../rules/domain-state.ts';
import { reasonsOf } from '../../rules/help-text.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, hoursUntilSeen, issueActs } from '../../rules/issue-acts.ts';
import type { IssueCode } from '../../rules/issue-params.ts';
import { issueCodes, issueParams, issueSentence } from '../../rules/issue-params.ts';
import { scopeMeanings } from '../../rules/api-key-format.ts';
import { conditionReasons, eventReasons } from '../../rules/reasons.ts';
import { refusalCodes } from '../../rules/codes/refusal-codes.ts';
import { routeCodes } from '../../rules/codes/route-codes.ts';
import { timelineReasons } from '../../rules/timeline.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import { apiCalls } from '../../server/call-table.ts';
import { problemCodes } from '../../rules/codes/problem-codes.ts';
import { english } from '../../dashboard/words/catalogue.ts';
import { createWords } from '../../dashboard/words/words.ts';

const origin = 'Made of the tables in the source by `npm run generate`; not edited by hand.';

/** For pages whose words are those of the resources. */
const inRest = 'REST has the same words in kebab-case: `RecordMissing` is `record-missing`.';

/** A page of docs/reference, as Markdown. */
const page = (title: string, parts: readonly string[]): string => `${[`# ${title}`, origin, ...parts].join('\n\n')}\n`;

/** A table of Markdown whose first column is code. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const named = rows.map(([name = '', ...rest]) => line([`\`${name}\``, ...rest]));
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...named].join('\n');
}

/** A table of codes with their definitions, and with what the dashboard tells the customer to do. */
const withAdvice = (what: string, codes: Readonly<Record<string, CodeRow>>): string =>
  table(
    [what, 'meaning', 'what the customer is told'],
    Object.entries(codes).map(([code, { definition, todo }]) => [code, definition, todo]),
  );

/** docs/reference by file name: every condition, reason, code, state and scope, and the help for customers, from the tables that the code itself uses. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'conditions.md': page('Conditions and reasons', [
      'What `status.conditions` of each kind can say, and why. The message beside the reason names the object at hand and says what to change.',
      inRest,
      ...Object.entries(conditionReasons).flatMap(([kind, conditions]) => conditionsOf(kind, conditions)),
      '## Events of ProjectDomain',
      'One Event for each new [state](states.md), with the state as its reason, and:',
      table(['reason', 'meaning'], Object.entries(eventReasons)),
    ]),
    'verdict-codes.md': page('Verdict codes', [
      'What a check of DNS found: codes of `status.issues`, of `issues` in REST and of `projectdomain check`, and reasons of the conditions OwnershipVerified and DNSVerified.',
      inRest,
      withAdvice('code', verdictCodes),
    ]),
    'route-codes.md': page('Route codes', [
      'What a [Gateway](../edges.md) says of the objects that route a hostname: codes of `status.issues`, of `issues` in REST, and, of a platform hostname, in the message of Routed of its Project. They explain; whether the hostname is served its own answer says. Each is told once it has lasted a minute, and only what the Gateway’s own controller says of the objects as they are now.',
      inRest,
      withAdvice('code', routeCodes),
    ]),
    'refusal-codes.md': page('Refusal codes', [
      'Why the [cluster refused](../operations.md#the-cluster-refuses-a-write) something that the operator has to write: codes of `status.issues` and of `issues` in REST, and of the metric `projectdomain_refused_writes_total`. The condition of the step that has to wait has the reason WriteRefused, with the kube-apiserver’s own words.',
      inRest,
      withAdvice('code', refusalCodes),
    ]),
    'issues.md': page('Issues', issuesPage()),
    'states.md': page('States of a domain', [
      'The state is a summary of the [conditions](conditions.md) and nothing else.',
      inRest,
      table(
        ['state', 'meaning'],
        Object.entries(domainStates).map(([state, { definition }]) => [state, definition]),
      ),
    ]),
    'timeline.md': page('Timeline of a domain', [
      'What `status.timeline` tells, and `timeline` in REST: fifty entries at most, the oldest first. An entry of kind State has the [state](states.md) that was entered, with the [reason](conditions.md) of Ready; the others have one of these reasons. A Finding also has the `code`, `severity` and `params` of its [issue](issues.md).',
      inRest,
      table(
        ['kind', 'reason', 'meaning'],
        Object.entries(timelineReasons).flatMap(([kind, reasons]) =>
          Object.entries(reasons).map(([reason, meaning]) => [kind, reason, meaning]),
        ),
      ),
      'Each kind keeps a share of the places (25 for states), so that what flaps pushes out neither the states nor the last entries of another kind.',
    ]),
    'problem-codes.md': page('Problem codes', [
      'Every error of the REST API is an RFC 9457 problem document with one of these codes; `detail` says what to do. Which call answers which is in [openapi.json](../openapi.json).',
      table(
        ['code', 'status', 'meaning'],
        Object.entries(problemCodes).map(([code, { status, title }]) => [code, String(status), `${title}.`]),
      ),
    ]),
    'customer-help.md': page('Help for customers', customerHelpPage()),
    'scopes.md': page('Scopes of API keys', [
      'Calls that name no scope need any valid key.',
      table(
        ['scope', 'meaning', 'calls'],
        Object.entries(scopeMeanings).map(([scope, meaning]) => [scope, meaning, callsOf(scope)]),
      ),
    ]),
  };
}

function conditionsOf(
  kind: string,
  conditions: Readonly<Record<string, Readonly<Record<string, CodeRow>>>>,
): readonly string[] {
  const ready = 'Ready' in conditions ? [] : ['The summary Ready carries the reason that matters most to a person.'];
  const parts = Object.entries(conditions).flatMap(([type, reasons]) => [
    `### ${kind}: ${type}`,
    ...(type.endsWith('Verified') ? ['Beside the [verdict codes](verdict-codes.md):'] : []),
    withAdvice('reason', reasons),
  ]);
  return [`## ${kind}`, ...ready, ...parts];
}

const callsOf = (scope: string): string =>
  apiCalls
    .filter((call) => call.scope === scope)
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    .join('<br>');

const words = createWords(english);

/** The Help of the dashboard: the four problems that customers report, told for somebody who has never heard of DNS. */
function customerHelpPage(): readonly string[] {
  return [
    'What customers read under Help in the dashboard. [troubleshooting.md](../troubleshooting.md) has the same four problems for administrators.',
    ...symptoms.flatMap(chapter),
  ];
}

function chapter(symptom: Symptom): readonly string[] {
  const { title, causes, look, steps } = words.chapters[symptom];
  return [
    `<a id="${symptom}"></a>`,
    `## ${title}`,
    `**${words.text('help.causes')}**`,
    causes.map((cause) => `- ${cause}`).join('\n'),
    `**${words.text('help.look')}**`,
    look.map((place) => `- ${place}`).join('\n'),
    `**${words.text('help.steps')}**`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    `**${words.text('help.codes')}**`,
    table(
      ['code', 'title', 'what to do'],
      reasonsOf(symptom).map((code) => {
        const { title: name, todo } = words.help('', code);
        return [code, name, todo];
      }),
    ),
  ];
}

/** Each parameter as a placeholder of its own name. */
const place = Object.fromEntries(Object.keys(nowhere).map((name) => [name, `{${name}}`])) as unknown as IssuePlace;
const record = (type: string, value: string) => ({ name: 'www', fqdn: 'www.example.com', type, value });
const records = { delete: [record('A', '192.0.2.1')], create: [record('CNAME', 'p-….cname.apps.example.net')] };

/** What a page renders issues from: every code with its parameters, every act with who can do it. */
function issuesPage(): readonly string[] {
  const codes = Object.keys(issueCodes) as IssueCode[];
  const acts = Object.keys(issueActs) as IssueAct[];
  return [
    'An issue of `status.issues`, of `issues` in REST and of `projectdomain check` has a code, an act, and parameters. `message` and `fix` are made of nothing else, so a page in another language renders these.',
    inRest,
    '## Codes: what was found',
    table(
      ['code', 'parameters', 'in English'],
      codes.map((code) => [
        code,
        Object.keys(issueParams(place, { code, ofAct: [] })).join(', '),
        issueSentence(code, place),
      ]),
    ),
    'DnssecBogus has more to say, by its parameter `fault`:',
    table(
      ['fault', 'in English'],
      dnssecFaultKinds.map((fault) => [fault, issueSentence('DnssecBogus', { ...place, fault })]),
    ),
    '## Acts: what has to be done',
    table(
      ['act', 'actor', 'parameters', 'seen after, at worst', 'in English'],
      acts.map((act) => {
        const { actor, params } = issueActs[act];
        const hours = hoursUntilSeen(actor);
        const seen = hours === null ? '' : `${hours} hours`;
        return [act, actor, params.join(', '), seen, actSentence(act, { params: place, ...records })];
      }),
    ),
    'ChangeRecords and EnterShortName are about the records in `delete` and `create`; the others leave the records as they are.',
  ];
}
