// Runs as a process of its own; see memory-server.ts.
import { subscribe } from 'node:diagnostics_channel'
// The package itself would bring a second driver.
import { MongoBinary } from 'mongodb-memory-server-core/lib/util/MongoBinary.js'
import { type DownloadMessage } from './memory-server.ts'

const send = (message: DownloadMessage): void => void process.send?.(message)

// The first byte of any answer, also through a proxy: what the library itself does not report.
subscribe('http.client.response.finish', () => send({ kind: 'answered' }))
process.on('disconnect', () => process.exit())

try {
  send({ kind: 'found', path: await MongoBinary.getPath() })
} catch (error) {
  const message = String(error instanceof Error ? error.message : error)
  send({ kind: 'failed', reason: message.replaceAll(/\s+/g, ' ').slice(0, 300) })
}
