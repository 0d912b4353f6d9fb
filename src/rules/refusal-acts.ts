import type { ActRow } from './codes/code-rows.ts';

const triedAgain = 'it is tried again automatically';

/** What has to be done where the cluster refuses a write: nobody who only edits DNS records can. */
export const refusalActs = {
  MakeRoomInQuota: {
    actor: 'Platform',
    params: ['by'],
    sentence: ({ by }) =>
      `whoever administers the namespace has to raise ResourceQuota ${by} or delete something else that it counts; ${triedAgain}`,
  },
  PermitWrite: {
    actor: 'Platform',
    params: ['by'],
    sentence: ({ by }) =>
      `the platform's administrators have to except the operator from ${by || 'what denies it'}, or change that; ${triedAgain}`,
  },
  RepairWebhook: {
    actor: 'Platform',
    params: [],
    sentence: () =>
      `the platform's administrators have to repair the admission webhook, or remove its configuration; ${triedAgain}`,
  },
  GrantRights: {
    actor: 'Platform',
    params: [],
    sentence: () =>
      `the platform's administrators have to give the operator back the rights that its chart installs; ${triedAgain}`,
  },
  LeaveFields: {
    actor: 'Platform',
    params: ['object'],
    sentence: ({ object }) => `whoever else writes ${object} has to leave its fields to the operator; ${triedAgain}`,
  },
  FreeName: {
    actor: 'Platform',
    params: ['object'],
    sentence: ({ object }) =>
      `whoever administers the namespace has to delete ${object}, or remove the finalizers that keep it; ${triedAgain}`,
  },
  AwaitNamespace: {
    actor: 'Platform',
    params: [],
    sentence: () => 'nothing to do: what is in it goes with it; to keep it, create the namespace again once it is gone',
  },
  ReportRejection: {
    actor: 'Platform',
    params: [],
    sentence: () =>
      `the platform's administrators have to see whether its definitions are those of the operator's version; ${triedAgain}`,
  },
} as const satisfies Readonly<Record<string, ActRow>>;
