import type { WithdrawnReason } from '../rules/reasons.ts';
import type { HelpText } from './state-help.ts';

const title = 'No longer served';

/** Why a domain that was served is not any more: each has another end. */
export const withdrawnHelp: Readonly<Record<WithdrawnReason, HelpText>> = {
  SuspendedByAdministrator: {
    title,
    meaning: 'An administrator of the platform has taken this domain offline.',
    todo: 'Nothing to do in your DNS: contact the people who run the platform, as only they can bring it back.',
    symptom: null,
  },
  LedElsewhere: {
    title,
    meaning: 'It had pointed somewhere else for seven days, so we stopped serving it.',
    todo: 'Point it here again with the records shown, then verify again. It comes back with the certificate it had.',
    symptom: 'verification-keeps-failing',
  },
  NotAllowed: {
    title,
    meaning: 'Your plan or your project hadn’t allowed it for seven days, so we stopped serving it.',
    todo: 'Once they do, it comes back with the certificate it had; you can also verify again.',
    symptom: null,
  },
  ParentDeleted: {
    title,
    meaning: 'The project or account that it belongs to is being deleted.',
    todo: 'Nothing to do if you wanted that. If not, contact the people who run the platform.',
    symptom: null,
  },
  ProvenElsewhere: {
    title,
    meaning: 'Another account has proved that this domain is theirs.',
    todo: 'If it’s yours, add the TXT record shown, then verify again. If not, remove it here.',
    symptom: 'verification-keeps-failing',
  },
};
