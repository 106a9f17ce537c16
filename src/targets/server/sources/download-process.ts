// Runs as a process of its own; see download-by-memory-server.ts.
import { subscribe } from 'node:diagnostics_channel'
import { MongoBinary } from 'mongodb-memory-server-core'

export type DownloadMessage =
  | { readonly kind: 'answered' }
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'failed'; readonly reason: string }

const tell = (message: DownloadMessage): void => void process.send?.(message)

// The first byte of any answer, also through a proxy: what the library itself does not tell.
subscribe('http.client.response.finish', () => tell({ kind: 'answered' }))
process.on('disconnect', () => process.exit())

try {
  tell({ kind: 'found', path: await MongoBinary.getPath() })
} catch (error) {
  const [firstLine = ''] = String(error instanceof Error ? error.message : error).split('\n')
  tell({ kind: 'failed', reason: firstLine })
}
