import { actSentence, hoursUntilSeen, issueActs } from '../../rules/issue-acts.ts';
import { dnssecFaultKinds } from '../../rules/dnssec-sentences.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import type { IssueCode } from '../../rules/issue-params.ts';
import { issueCodes, issueParams, issueSentence } from '../../rules/issue-params.ts';
import type { IssuePlace } from '../../rules/codes/code-rows.ts';
import { nowhere } from '../../rules/codes/code-rows.ts';
import { table } from './page-parts.ts';

/** Each parameter as a placeholder of its own name. */
const place = Object.fromEntries(Object.keys(nowhere).map((name) => [name, `{${name}}`])) as unknown as IssuePlace;
const record = (type: string, value: string) => ({ name: 'www', fqdn: 'www.example.com', type, value });
const records = { delete: [record('A', '192.0.2.1')], create: [record('CNAME', 'p-….cname.apps.example.net')] };

/** What a page renders issues from: every code with its parameters, every act with who can do it. */
export function issuesPage(): readonly string[] {
  const codes = Object.keys(issueCodes) as IssueCode[];
  const acts = Object.keys(issueActs) as IssueAct[];
  return [
    'An issue of `status.issues`, of `issues` in REST and of `projectdomain check` has a code, an act, and parameters. `message` and `fix` are made of nothing else, so a page in another language renders these.',
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
