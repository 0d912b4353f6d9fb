import { z } from 'zod';
import { kebabCase } from '../rules/kebab-case.ts';
import { issueActors } from '../rules/codes/code-rows.ts';
import { recordStatuses } from '../rules/desired-records.ts';
import { domainStateNames } from '../rules/domain-state.ts';
import { issueActs } from '../rules/issue-acts.ts';
import { issueCodes } from '../rules/issue-params.ts';
import { conditionReasons } from '../rules/reasons.ts';
import { timelineKinds, timelineReasons } from '../rules/timeline.ts';

/** Enumerations of REST: words of the resources, in kebab-case. Each is a schema of its own in the document. */

const words = (names: readonly string[]) => z.enum([...new Set(names.map(kebabCase))].toSorted());

const named = (id: string, description: string, names: readonly string[]) => words(names).meta({ id, description });

const reasonsOf = (kind: 'Project' | 'ProjectDomain'): readonly string[] =>
  Object.values(conditionReasons[kind] ?? {}).flatMap((reasons) => Object.keys(reasons));

const domainReasons = [...reasonsOf('ProjectDomain'), ...Object.keys(issueCodes)];

export const domainState = named(
  'DomainState',
  'Where a domain is between Add and being served (docs/concepts/states.md).',
  domainStateNames,
);

export const domainReason = named(
  'DomainReason',
  'Why a domain is in its state: the most specific cause that is known (docs/reference/conditions.md). More may be added.',
  domainReasons,
);

export const projectReason = named(
  'ProjectReason',
  'Why a project is in its state (docs/reference/conditions.md). More may be added.',
  reasonsOf('Project'),
);

export const recordPurpose = named('RecordPurpose', 'What a record proves, or is needed for.', [
  'Routing',
  'Ownership',
  'Certificate',
]);

export const recordStatus = named(
  'RecordStatus',
  'What the last check found. `stale`: only some servers of the zone have it. `conflicting`: another record stands beside it. `unknown`: nothing could be read.',
  recordStatuses,
);

export const issueCode = named(
  'IssueCode',
  'What is wrong (docs/reference/issues.md). More may be added.',
  Object.keys(issueCodes),
);

export const issueAct = named('IssueAct', 'What has to be done (docs/reference/issues.md). More may be added.', [
  ...Object.keys(issueActs),
]);

export const issueActor = named(
  'IssueActor',
  'Who can do it. `owner`: whoever edits the records of the zone. `dns-host`: the company that runs its name servers. `cdn`: whoever sets up the CDN or proxy in front of the hostname.',
  issueActors,
);

export const severity = named('Severity', 'A `warning` keeps no domain from being served.', ['Error', 'Warning']);

export const timelineKind = named(
  'TimelineKind',
  '`state`: the domain entered it. `finding`: an issue appeared or is gone. `order`, `certificate`: of it.',
  timelineKinds,
);

export const timelineReason = named(
  'TimelineReason',
  'For a `state` why the domain entered it; for other kinds what happened (docs/reference/timeline.md). More may be added.',
  [...Object.values(timelineReasons).flatMap((reasons) => Object.keys(reasons)), ...domainReasons],
);
