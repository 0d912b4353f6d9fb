import { callerOf, keyOf } from '../use-cases/caller.ts';
import { rememberedRefusal } from '../use-cases/quota-admission.ts';
import type { Handlers } from './begin-request.ts';
import { apiCalls } from './call-table.ts';
import type { AppOptions } from './app-options.ts';
import { localsOf } from './locals.ts';
import { answerRefusal, createRenderedRefusals } from './rendered-refusals.ts';

const free = apiCalls.flatMap((call) => (call.free ? call.path.replaceAll(/\{\w+\}/g, '[^/]+') : []));
const isFree = new RegExp(`^(?:${free.join('|')})(?:[?#]|$)`);

/**
 * Refuses what memory alone can refuse, before anything is routed: most requests of a flood end here. True where it has answered. Whatever
 * lies below /v1/ is refused like this, but for the calls that are free.
 */
export function refuseAtOnce(options: Pick<AppOptions, 'dependencies' | 'decided'>): Handlers['refuse'] {
  const { dependencies, decided } = options;
  const refusals = createRenderedRefusals();
  return (request, response, common) => {
    const { url = '' } = request;
    if (!url.startsWith('/v1/') || isFree.test(url)) return false;
    const locals = localsOf(response);
    const found = callerOf(dependencies.caches, keyOf(request), dependencies.now());
    locals.found = found;
    const decision = rememberedRefusal(dependencies, found, locals.address);
    if (!decision) return false;
    locals.caller = 'refused' in found ? null : found;
    decided(decision, locals.caller);
    answerRefusal(response, refusals.of(decision), { requestId: locals.requestId, common });
    return true;
  };
}
