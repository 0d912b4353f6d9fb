import type { Server } from 'node:net';

/** Node's default for the backlog of a listening socket: no more connections than that can wait to be accepted. */
const backlogAtMost = 511;

const turnOfEventLoop = () => new Promise<void>((done) => setImmediate(done));

/**
 * Resolves once the server has accepted every connection that the kernel has already completed. Closing a listening
 * socket resets those that wait in its accept queue (listen(2)), although their clients have been told that they are
 * connected and may have sent a request.
 *
 * libuv accepts one connection in each turn of the event loop, and the turn in which this is called may be past its poll
 * phase: the queue is empty when two turns have accepted none.
 */
export async function acceptBacklog(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let before = -1; before !== accepted && accepted < backlogAtMost;) {
    before = accepted;
    await turnOfEventLoop();
    await turnOfEventLoop();
  }
  server.off('connection', count);
}
