import { createServer } from 'node:http';

/** A customer's web server in a Pod: every answer names the project, the host and the path it was asked for. */
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ tenant: process.env.TENANT, host: request.headers.host, path: request.url }));
});
server.listen(8080);
// Endpoints move after the signal: what still comes is answered.
process.on('SIGTERM', () => setTimeout(() => process.exit(0), 5_000));
