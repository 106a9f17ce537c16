import { createServer, type ServerResponse } from 'node:http'
import { isLoopback } from '../../servers/targets/connection/loopback.ts'
import { addressText, closeServer, isOwnHost, type ListenAddress, listenOn } from './listen.ts'
import { type LiveListener } from './live-events.ts'
import { createMetrics } from './metrics.ts'

export type MetricsServer = {
  readonly url: string
  readonly observe: LiveListener
  readonly close: () => Promise<void>
}

/**
 * Starts to serve the path "/metrics".
 * @throws {Problem} "usage" when it cannot listen there.
 */
export async function startMetricsServer(address: ListenAddress): Promise<MetricsServer> {
  const { observe, text } = createMetrics()
  // Another site may have its name point here. Elsewhere than on this machine alone, those who scrape have names of their own for it.
  const isAllowed = (given: string | undefined): boolean =>
    !isLoopback(address.host) || isOwnHost(given, port) || given === addressText({ ...address, port })
  const server = createServer(({ method, headers, url = '' }, response) => {
    if (!isAllowed(headers.host)) return send(response, 403, 'text/plain', 'Forbidden\n')
    if (method !== 'GET') return send(response, 405, 'text/plain', 'Method not allowed\n', { Allow: 'GET' })
    if (url.split('?')[0] !== '/metrics') return send(response, 404, 'text/plain', 'Not found\n')
    send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', text())
  })
  const port = await listenOn(server, address, '--metrics')
  return {
    url: `http://${addressText({ ...address, port })}/metrics`,
    observe,
    close: () => closeServer(server),
  }
}

function send(response: ServerResponse, status: number, type: string, text: string, more = {}): void {
  response.writeHead(status, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...more })
  response.end(text)
}
