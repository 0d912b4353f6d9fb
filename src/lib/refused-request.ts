import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';

/** What a client sent that no handler of requests sees. */
export interface RefusedRequest {
  /** `late`: not whole in time; `tunnel`: a request to be connected to somebody else */
  readonly reason: 'malformed' | 'headers-too-large' | 'late' | 'tunnel';
  /** its head, where that was read */
  readonly request: IncomingMessage | null;
  readonly peer: string | undefined;
}

const statuses = { malformed: 400, tunnel: 400, late: 408, 'headers-too-large': 431 } as const;

/** An answer without a body, as it goes over the wire; the last one of its connection. */
export const bareAnswer = ({ reason }: Pick<RefusedRequest, 'reason'>): string =>
  `HTTP/1.1 ${statuses[reason]} ${STATUS_CODES[statuses[reason]] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

/** What an error of Node's parser means; null where nobody is left who could be told. */
export function reasonOf({ code = '' }: NodeJS.ErrnoException): RefusedRequest['reason'] | null {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'late';
  return code.startsWith('HPE_') ? 'malformed' : null;
}
