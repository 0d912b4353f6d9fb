import type { DomainCodeRow, IssueCodeRow } from './code-rows.ts';
import { leftToPlatform } from './code-rows.ts';

/**
 * Any condition that has to wait for a write: the cluster refused it, and the message says why. True while what was there before the write
 * still holds, as with a change of a route that answers.
 */
export const refusedReasons = {
  WriteRefused: {
    ...leftToPlatform,
    definition:
      'The cluster refused something that the operator has to write; the message says what, why and who acts.',
    title: 'The platform’s cluster refuses a change',
    meaning: 'We have to change something there and are not allowed to. We try again automatically.',
  },
} as const satisfies Readonly<Record<string, DomainCodeRow>>;

const [object, objectAndBy] = [['object'], ['object', 'by']] as const;
const named = (by: string): string => (by === '' ? '' : ` ${by}`);

/**
 * Every code for why the kube-apiserver refused something that the operator has to write. Each is the code of an issue; the condition of the
 * step that has to wait for the write has the reason WriteRefused, whatever the code is.
 */
export const refusalCodes = {
  QuotaFull: {
    definition: 'A ResourceQuota of the namespace leaves no room for an object that the operator has to create.',
    params: objectAndBy,
    sentence: ({ object, by }) => `ResourceQuota${named(by)} leaves no room for ${object}`,
    title: 'Your account’s space in the cluster is full',
    meaning: 'Something has to be created for this domain, and a quota leaves no room for it.',
    todo: 'Nothing to do: the people who run the platform make room. If you have objects of your own there, delete what you no longer need.',
    step: { kind: null, actor: 'Platform' },
  },
  AdmissionDenied: {
    ...leftToPlatform,
    definition: 'An admission policy or webhook of the cluster denies a write of the operator.',
    params: objectAndBy,
    sentence: ({ object, by }) => `admission${named(by)} denies the write of ${object}`,
    title: 'A rule of the cluster forbids a change',
    meaning: 'A rule of the platform’s cluster doesn’t allow it.',
  },
  AdmissionUnavailable: {
    ...leftToPlatform,
    definition: 'An admission webhook has to be asked for a write of the operator, and does not answer.',
    params: objectAndBy,
    sentence: ({ object, by }) => `admission webhook${named(by)} does not answer, so ${object} cannot be written`,
    title: 'A part of the platform doesn’t answer',
    meaning: 'It has to permit each change first, so nothing can be changed until it does.',
  },
  WriteUnanswered: {
    ...leftToPlatform,
    definition: 'The kube-apiserver has not answered a write of the operator in time, as where a webhook is slow.',
    params: object,
    sentence: ({ object }) => `the write of ${object} was not answered in time`,
    title: 'The platform’s cluster is too slow',
    meaning: 'It hasn’t answered a change in time.',
  },
  OperatorForbidden: {
    ...leftToPlatform,
    definition: 'The operator lacks the right to a write that it has to make.',
    params: object,
    sentence: ({ object }) => `the operator may not write ${object}`,
    title: 'The platform lacks a right in its cluster',
    meaning: 'A change needs a right that is missing.',
  },
  FieldsOwnedElsewhere: {
    ...leftToPlatform,
    definition: 'Another field manager owns fields that the operator has to write.',
    params: object,
    sentence: ({ object }) => `another field manager owns fields of ${object}`,
    title: 'Two programs disagree about a setting',
    meaning: 'Another program has set what we have to set.',
  },
  NameTaken: {
    definition: 'An object of another origin has the name of one that the operator has to create.',
    params: object,
    sentence: ({ object }) =>
      `an object that is not the operator's has the name of ${object}, or is still being deleted`,
    title: 'Something else has the name that we need',
    meaning: 'An object of that name exists already, or is still being deleted.',
    todo: 'Nothing to do: the people who run the platform take care of this. If you have made an object of that name, delete it.',
    step: { kind: null, actor: 'Platform' },
  },
  NamespaceEnding: {
    definition: 'The namespace is being deleted, and takes no new object.',
    params: object,
    sentence: ({ object }) => `${object} cannot be created in a namespace that is being deleted`,
    title: 'Your account’s place in the cluster is being deleted',
    meaning: 'Nothing new can be created there.',
    todo: 'Nothing to do if you wanted that. If not, contact support.',
    step: { kind: null, actor: 'Platform' },
  },
  ObjectRejected: {
    ...leftToPlatform,
    definition: 'The kube-apiserver does not accept the content of an object that the operator has to write.',
    params: object,
    sentence: ({ object }) => `the content of ${object} is not accepted`,
    title: 'The platform’s cluster doesn’t accept a change',
    meaning: 'Its version and ours don’t agree.',
  },
} as const satisfies Readonly<Record<string, IssueCodeRow>>;

export type RefusalCode = keyof typeof refusalCodes;

export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusalCodes, code);
