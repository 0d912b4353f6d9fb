import type { VerdictCode } from './verdict-codes.ts';

const [object, objectAndBy] = [['object'], ['object', 'by']] as const;
const named = (by: string): string => (by === '' ? '' : ` ${by}`);

/**
 * Every code for why the kube-apiserver refused something that the operator has to write. Each is the code of an issue; the condition of the
 * step that has to wait for the write has the reason WriteRefused, whatever the code is.
 */
export const refusalCodes = {
  QuotaFull: {
    meaning: 'A ResourceQuota of the namespace leaves no room for an object that the operator has to create.',
    params: objectAndBy,
    sentence: ({ object, by }) => `ResourceQuota${named(by)} leaves no room for ${object}`,
  },
  AdmissionDenied: {
    meaning: 'An admission policy or webhook of the cluster denies a write of the operator.',
    params: objectAndBy,
    sentence: ({ object, by }) => `admission${named(by)} denies the write of ${object}`,
  },
  AdmissionUnavailable: {
    meaning: 'An admission webhook has to be asked for a write of the operator, and does not answer.',
    params: objectAndBy,
    sentence: ({ object, by }) => `admission webhook${named(by)} does not answer, so ${object} cannot be written`,
  },
  WriteUnanswered: {
    meaning: 'The kube-apiserver has not answered a write of the operator in time, as where a webhook is slow.',
    params: object,
    sentence: ({ object }) => `the write of ${object} was not answered in time`,
  },
  OperatorForbidden: {
    meaning: 'The operator lacks the right to a write that it has to make.',
    params: object,
    sentence: ({ object }) => `the operator may not write ${object}`,
  },
  FieldsOwnedElsewhere: {
    meaning: 'Another field manager owns fields that the operator has to write.',
    params: object,
    sentence: ({ object }) => `another field manager owns fields of ${object}`,
  },
  NameTaken: {
    meaning: 'An object of another origin has the name of one that the operator has to create.',
    params: object,
    sentence: ({ object }) =>
      `an object that is not the operator's has the name of ${object}, or is still being deleted`,
  },
  NamespaceEnding: {
    meaning: 'The namespace is being deleted, and takes no new object.',
    params: object,
    sentence: ({ object }) => `${object} cannot be created in a namespace that is being deleted`,
  },
  ObjectRejected: {
    meaning: 'The kube-apiserver does not accept the content of an object that the operator has to write.',
    params: object,
    sentence: ({ object }) => `the content of ${object} is not accepted`,
  },
} as const satisfies Readonly<Record<string, VerdictCode>>;

export type RefusalCode = keyof typeof refusalCodes;

export const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusalCodes, code);
