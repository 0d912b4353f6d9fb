import type { ProjectDomain } from '../generated/project-domain.ts';
import type { ActRecord, IssueActor } from '../rules/codes/code-rows.ts';
import { hoursUntilSeen, isWarning } from '../rules/issue-acts.ts';

type IssueFields = NonNullable<NonNullable<ProjectDomain['status']>['issues']>[number];

/** A record to delete or to create, its name as in a form; `*` is the value of all records of a type. */
export type RecordRefView = ActRecord;

/**
 * What was found instead of what is needed, and what to change. Everything that `message` and `fix` say in English is in
 * the code, the act, the parameters and the lists too.
 */
export interface IssueView {
  readonly code: string;
  readonly severity: 'Error' | 'Warning';
  /** what has to be done; null in a status written by an older version */
  readonly act: string | null;
  readonly actor: IssueActor;
  readonly params: Readonly<Record<string, string>>;
  readonly delete: readonly RecordRefView[];
  readonly create: readonly RecordRefView[];
  readonly servers: readonly { readonly server: string; readonly address: string; readonly answer: string }[];
  /** RFC 3339; null in a status written by an older version */
  readonly since: string | null;
  /** how long the change may take to be seen, at worst; null if not longer than the TTL of the records */
  readonly hoursUntilSeen: number | null;
  readonly message: string;
  /** the offending records in master-file format; '' if a record is missing */
  readonly record: string;
  readonly fix: string;
}

/** An issue of a status, whichever version of the operator wrote it. */
export function issueView({ code, message, record, fix, ...issue }: IssueFields): IssueView {
  const { act = null, actor = 'Owner', params = {}, create = [], servers = [], since = null } = issue;
  return {
    code,
    severity: isWarning(issue) ? 'Warning' : 'Error',
    act,
    actor,
    params,
    delete: issue.delete ?? [],
    create,
    servers,
    since,
    hoursUntilSeen: hoursUntilSeen(actor),
    message,
    record,
    fix,
  };
}
