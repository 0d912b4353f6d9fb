import { actorWords } from '../help/issue-help.ts';
import type { IssueActor } from '../rules/issue-acts.ts';

interface PrintedIssue {
  readonly code: string;
  readonly severity: 'Error' | 'Warning';
  readonly actor: IssueActor;
  readonly message: string;
  readonly record: string;
  readonly fix: string;
}

/** What was found, what to do about it, and who has to if it is not whoever edits the records. */
export function printIssue({ code, severity, actor, message, record, fix }: PrintedIssue): string {
  return [
    `${severity === 'Warning' ? 'Warning ' : ''}${code}: ${message}`,
    ...(record ? [`  found: ${record}`] : []),
    `  to do: ${fix}`,
    ...(actor === 'Owner' ? [] : [`  by: ${actorWords[actor]}`]),
  ].join('\n');
}
