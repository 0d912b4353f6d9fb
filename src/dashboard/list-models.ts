import type { AddTerms } from '../use-cases/add-terms.ts';
import type { BulkAct, BulkPlanned, BulkResult } from '../use-cases/bulk-domains.ts';
import type { DomainFilter, FoundDomains } from '../use-cases/find-domains.ts';
import type { ProjectView } from '../use-cases/projects.ts';
import type { AddForm, AddOffer, Look, Preview } from './add-models.ts';
import type { ProblemView } from './notice.ts';

/** The part of a project's page where a domain is added. */
export interface AddingModel {
  readonly project: ProjectView;
  readonly terms: AddTerms;
  readonly offer: AddOffer;
  readonly form: AddForm;
  readonly preview: Preview;
  readonly look: Look;
}

/** A page of a project's domains. */
export interface ListModel extends FoundDomains {
  readonly project: ProjectView;
  readonly filter: DomainFilter;
  /** whether the key that opened the session may change domains */
  readonly mayWrite: boolean;
}

/** What else the page has to say about the form that was sent. */
export type ListNotice =
  /** nothing was selected */
  | { readonly kind: 'none-selected' }
  /** of two hostnames only the first was added */
  | { readonly kind: 'first-only'; readonly first: string; readonly other: string; readonly problem: ProblemView };

export interface DomainsModel {
  readonly notice: ListNotice | null;
  readonly adding: AddingModel;
  readonly list: ListModel;
}

/** What would happen to the selected domains. */
export interface BulkPlanModel {
  readonly project: ProjectView;
  readonly act: BulkAct;
  readonly planned: readonly BulkPlanned[];
}

/** What happened to them. */
export interface BulkResultModel {
  readonly project: ProjectView;
  readonly act: BulkAct;
  readonly results: readonly BulkResult[];
}
