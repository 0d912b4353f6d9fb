import type { ApiDependencies } from '../use-cases/api-dependencies.ts';
import type { Sessions } from './sessions/sessions-port.ts';

/** What pages need besides what calls of the API do. */
export interface DashboardDependencies extends ApiDependencies {
  readonly sessions: Sessions;
}
