import type { DashboardPage } from './dashboard-page.ts';
import { domainPage, removeAction, removePage, verifyAction } from './controllers/domain-controller.ts';
import { automaticCertificatesAction } from './controllers/certificate-controller.ts';
import { addAction } from './controllers/add-controller.ts';
import { bulkAction, bulkPlanAction } from './controllers/bulk-controller.ts';
import { setupPage, setupVerifyAction } from './controllers/setup-controller.ts';
import { domainsPage } from './controllers/domains-controller.ts';
import { eventsPage } from './controllers/events-controller.ts';
import { formAddressPages } from './controllers/form-addresses.ts';
import { createLinkAction, revokeLinkAction } from './controllers/handover-controller.ts';
import { createKeyAction, deleteKeyAction, keysPage } from './controllers/keys-controller.ts';
import { helpPage, planPage } from './controllers/plan-controller.ts';
import { checkAction, lookAction, previewAction } from './controllers/preview-controller.ts';
import { projectsPage } from './controllers/projects-controller.ts';
import { primaryAction, primaryPage, redirectAction, redirectPage } from './controllers/role-controller.ts';

/** Every page and action for a signed-in visitor. */
export const pages: readonly DashboardPage[] = [
  projectsPage,
  domainsPage,
  addAction,
  previewAction,
  lookAction,
  checkAction,
  bulkPlanAction,
  bulkAction,
  setupPage,
  setupVerifyAction,
  eventsPage,
  ...formAddressPages,
  domainPage,
  verifyAction,
  automaticCertificatesAction,
  removePage,
  removeAction,
  createLinkAction,
  revokeLinkAction,
  primaryPage,
  primaryAction,
  redirectPage,
  redirectAction,
  planPage,
  keysPage,
  createKeyAction,
  deleteKeyAction,
  helpPage,
];
