import type { Backend } from './ingress.ts';

/** The Service in every account namespace that stands for the redirector. */
export const redirectBackend: Backend = Object.freeze({ name: 'projectdomain-redirect', port: 8080 });
