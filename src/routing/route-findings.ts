import { earliest } from '../controller-runtime/actions.ts';
import type { IssueAct } from '../rules/issue-acts.ts';
import type { IssueParams } from '../rules/issue-params.ts';
import type { RouteCode } from '../rules/codes/route-codes.ts';

/** One thing that an edge says of the objects of a route, and what has to be done about it. */
export interface RouteFinding {
  readonly code: RouteCode;
  readonly act: IssueAct;
  /** what the sentences of the code and the act mention */
  readonly params: IssueParams;
}

/** The controllers that are to serve routes, by the names that they have in statuses, by edge: `Gateway namespace/name`. */
export type EdgeControllers = Readonly<Partial<Record<string, string>>>;

/** With what a route's objects are looked at; times are milliseconds since the Unix epoch. */
export interface RouteLook {
  readonly hostname: string;
  readonly now: number;
  readonly controllers: EdgeControllers;
  /** edges that take no further hostname; none when absent */
  readonly fullEdges?: readonly string[];
  /** since when it is known that an object of the route waits for an answer, that of any edge; null where that is not known */
  readonly silentSince: number | null;
}

/** What an edge says of a route. */
export interface RouteFindings {
  readonly findings: readonly RouteFinding[];
  /** since when an object waits for its controller's first answer, or for that to its last change; null where none does */
  readonly silentSince: number | null;
  /** when something has lasted long enough to be told, if nothing changes before; null where nothing will */
  readonly dueAt: number | null;
}

/** Of a route whose edge says nothing that is read here. */
export const noRouteFindings: RouteFindings = Object.freeze({ findings: [], silentSince: null, dueAt: null });

/** What several edges say. */
export const mergedFindings = (all: readonly RouteFindings[]): RouteFindings => ({
  findings: all.flatMap(({ findings }) => findings),
  silentSince: earliest(...all.map(({ silentSince }) => silentSince)),
  dueAt: earliest(...all.map(({ dueAt }) => dueAt)),
});
