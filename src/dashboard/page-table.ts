import type { DashboardPage } from './dashboard-page.ts';
import { domainPage, removeAction, removePage, verifyAction } from './controllers/domain-controller.ts';
import { addAction, domainsPage, previewAction } from './controllers/domains-controller.ts';
import { eventsPage } from './controllers/events-controller.ts';
import { createKeyAction, deleteKeyAction, keysPage } from './controllers/keys-controller.ts';
import { helpPage, planPage } from './controllers/plan-controller.ts';
import { projectsPage } from './controllers/projects-controller.ts';

/** Every page and action for a signed-in visitor. */
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
