import type { DashboardPage } from './page.ts';
import { domainPage, removeAction, removePage, verifyAction } from './sections/domain.ts';
import { addAction, domainsPage, previewAction } from './sections/domains.ts';
import { eventsPage } from './sections/events.ts';
import { createKeyAction, deleteKeyAction, keysPage } from './sections/keys.ts';
import { helpPage, planPage } from './sections/plan.ts';
import { projectsPage } from './sections/projects.ts';

/** Every page and action of a visitor who is signed in. */
export const pages: readonly DashboardPage[] = [
  projectsPage,
  domainsPage,
  addAction,
  previewAction,
  eventsPage,
  domainPage,
  verifyAction,
  removePage,
  removeAction,
  planPage,
  keysPage,
  createKeyAction,
  deleteKeyAction,
  helpPage,
];
