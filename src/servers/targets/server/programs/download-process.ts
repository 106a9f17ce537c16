// Runs as a process of its own; see memory-server.ts.
import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage } from 'node:http'
import { type DownloadMessage } from './memory-server.ts'

const send = (message: DownloadMessage): void => void process.send?.(message)

/** Smaller answers are checksums. */
const minBytes = 1e6
const everyMs = 200

// The first byte of any answer, also through a proxy: what the library itself does not report.
subscribe('http.client.response.finish', (message) => {
  send({ kind: 'answered' })
  const { response } = message as { readonly response: IncomingMessage }
  const of = Number(response.headers['content-length'])
  if (response.statusCode !== 200 || !(of >= minBytes)) return
  const before = response.socket.bytesRead
  const report = (): void => send({ kind: 'received', bytes: Math.min(of, response.socket.bytesRead - before), of })
  const timer = setInterval(report, everyMs)
  response.once('end', () => {
    clearInterval(timer)
    send({ kind: 'received', bytes: of, of })
  })
  report()
})
process.on('disconnect', () => process.exit())

/** A package that users install, if they want it. */
type Downloader = {
  readonly downloadMongoDb: (options: {
    readonly directory: string
    readonly version: string
    readonly useLockfile: boolean
    readonly downloadOptions: { readonly productionOnly: boolean }
  }) => Promise<string>
}

async function findPath([downloader, directory, version]: readonly string[]): Promise<string> {
  if (downloader === undefined || directory === undefined || version === undefined) {
    // The package itself would bring a second driver.
    const { MongoBinary } = await import('mongodb-memory-server-core/lib/util/MongoBinary.js')
    return await MongoBinary.getPath()
  }
  const { downloadMongoDb } = (await import(downloader)) as Downloader
  // Candidates of a release are for those who name one.
  const downloadOptions = { productionOnly: /^[\d.]+$/.test(version) }
  return await downloadMongoDb({ directory, version, useLockfile: true, downloadOptions })
}

try {
  send({ kind: 'found', path: await findPath(process.argv.slice(2)) })
} catch (error) {
  const message = String(error instanceof Error ? error.message : error)
  send({ kind: 'failed', reason: message.replaceAll(/\s+/g, ' ').slice(0, 300) })
}
