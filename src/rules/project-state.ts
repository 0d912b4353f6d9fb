import type { Project } from '../generated/project.ts';
import { findCondition, isTrue } from './conditions.ts';

/** State of a project's address, with its meaning in one line. */
export const projectStates = {
  pending: 'The project is not served at an address of its own yet; the reason says what it waits for.',
  live: 'The project is served at its platform hostname.',
  degraded: 'The project is served at its platform hostname, and something is to be done; the reason says what.',
  refused: 'The project gets no address before it is changed; the reason says why.',
  suspended: 'The project is not served at its platform hostname any more; the reason says why.',
} as const;

export type ProjectState = keyof typeof projectStates;

export const projectStateNames = Object.keys(projectStates) as readonly ProjectState[];

/** What callers of the API are told of a project's address. */
export interface ProjectSituation {
  readonly state: ProjectState;
  /** a condition's reason in kebab-case: one of docs/reference/conditions.md */
  readonly reason: string;
  /** the same for people */
  readonly message: string;
}

/** The situation of a project that holds its address, or not, whatever its status says of that. Pure. */
export function projectSituation({ status }: Pick<Project, 'status'>, isHeld: boolean): ProjectSituation {
  const ready = findCondition(status?.conditions, 'Ready');
  if (!ready) return { state: 'pending', reason: 'waiting', message: 'the project was created a moment ago' };
  if (!isHeld && isTrue(ready)) return claiming;
  return { state: stateOf(status, isHeld), reason: kebabCase(ready.reason), message: ready.message };
}

function stateOf(status: Project['status'], isHeld: boolean): ProjectState {
  const [accepted, routed, ready] = ['Accepted', 'Routed', 'Ready'].map((type) =>
    findCondition(status?.conditions, type),
  );
  const [isRefused, isBroken] = [accepted?.status === 'False', routed?.status === 'False'];
  if (isBroken && routed?.reason === 'Withdrawn') return 'suspended';
  if (!isHeld) return isRefused ? 'refused' : 'pending';
  if (isTrue(ready)) return 'live';
  return isRefused || isBroken ? 'degraded' : 'pending';
}

const claiming: ProjectSituation = Object.freeze({
  state: 'pending',
  reason: 'waiting',
  message: 'the project waits for its address',
});

/** `SubdomainTaken` as `subdomain-taken`: what is new in REST is written so. */
export const kebabCase = (reason: string): string => reason.replaceAll(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
