import type { RefusalCode } from '../rules/refusal-codes.ts';
import type { HelpText } from './state-help.ts';

const platform = 'Nothing to do: the people who run the platform take care of this. Contact support if it lasts.';

const help = (title: string, meaning: string, todo = platform): HelpText => ({ title, meaning, todo, symptom: null });

/** What the platform's cluster does not let us write for a domain. */
export const refusalHelp: Readonly<Record<RefusalCode | 'WriteRefused', HelpText>> = {
  WriteRefused: help(
    'The platform’s cluster refuses a change',
    'We have to change something there and are not allowed to. We try again automatically.',
  ),
  QuotaFull: help(
    'Your account’s space in the cluster is full',
    'Something has to be created for this domain, and a quota leaves no room for it.',
    'Nothing to do: the people who run the platform make room. If you have objects of your own there, delete what you no longer need.',
  ),
  AdmissionDenied: help('A rule of the cluster forbids a change', 'A rule of the platform’s cluster doesn’t allow it.'),
  AdmissionUnavailable: help(
    'A part of the platform doesn’t answer',
    'It has to permit each change first, so nothing can be changed until it does.',
  ),
  WriteUnanswered: help('The platform’s cluster is too slow', 'It hasn’t answered a change in time.'),
  OperatorForbidden: help('The platform lacks a right in its cluster', 'A change needs a right that is missing.'),
  FieldsOwnedElsewhere: help('Two programs disagree about a setting', 'Another program has set what we have to set.'),
  NameTaken: help(
    'Something else has the name that we need',
    'An object of that name exists already, or is still being deleted.',
    'Nothing to do: the people who run the platform take care of this. If you have made an object of that name, delete it.',
  ),
  NamespaceEnding: help(
    'Your account’s place in the cluster is being deleted',
    'Nothing new can be created there.',
    'Nothing to do if you wanted that. If not, contact support.',
  ),
  ObjectRejected: help('The platform’s cluster doesn’t accept a change', 'Its version and ours don’t agree.'),
};
