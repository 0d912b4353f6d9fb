import { subscribe } from 'node:diagnostics_channel';

/** How many HTTP requests of this process wait for their answer, watches of Kubernetes aside, as those have no end. */
export function countOpenRequests(): () => number {
  const open = new Set<object>();
  const of = (message: unknown) => (message as { readonly request: object & { readonly path?: string } }).request;
  const begins = (message: unknown) => {
    const request = of(message);
    if (!/[?&]watch=true/.test(request.path ?? '')) open.add(request);
  };
  const ends = (message: unknown) => void open.delete(of(message));
  for (const name of ['undici:request:create', 'http.client.request.start']) subscribe(name, begins);
  for (const name of [
    ...['undici:request:trailers', 'undici:request:error'],
    ...['http.client.response.finish', 'http.client.request.error'],
  ])
    subscribe(name, ends);
  return () => open.size;
}
