import { startSocketServers } from './socket-servers.ts';

/** A process of servers alone: told by its arguments where Redis is and how many connections each has, it tells its parent the servers. */
const [redisUrl = '', connections = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }));
process.send?.({
  servers: await startSocketServers({ redisUrl, connections: connections === '' ? null : Number(connections) }),
});
