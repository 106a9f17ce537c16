import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Takes the turn to measure, which one process or thread of a user has at a time, and waits until it is free.
 *
 * A turn is a socket that listens under one name. The system closes it with its process, however that ends, so a dead process holds no one up, and
 * those who wait are connected to it, so they see it close.
 * @param onWait Called once if another one has the turn.
 * @param name Of the socket, except in tests.
 */
export async function takeTurn(onWait: () => void, name = nameOfUser()): Promise<Disposable> {
  for (let tries = 0; ; tries++) {
    const taken = await listenAt(name)
    if (taken !== 'in use') return taken
    if (tries === 0) onWait()
    await waitForTurnEnd(name)
  }
}

/** Names of Linux and Windows go with their process. Elsewhere a file is left behind, which `closeOf` deletes. */
function nameOfUser(): string {
  const name = `mongo-perf-turn-${process.getuid?.() ?? process.env['USERNAME']}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

function listenAt(name: string): Promise<Disposable | 'in use'> {
  const waiting: Socket[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {}).unref()
    waiting.push(socket)
  }).unref()
  return new Promise((resolve) => {
    // Where a sandbox refuses sockets, a measurement beside others is better than none.
    server.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'in use' : createTurn(server)),
    )
    server.listen(name, () => resolve(createTurn(server, waiting)))
  })
}

const createTurn = (server: Server, waiting: readonly Socket[] = []): Disposable => ({
  [Symbol.dispose]() {
    server.close()
    for (const socket of waiting) socket.destroy()
  },
})

/** Waits until the one who has the turn has ended it, or is gone. */
const waitForTurnEnd = (name: string): Promise<void> =>
  new Promise((resolve) => {
    connect(name)
      .on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNREFUSED' && !name.startsWith('\0')) rmSync(name, { force: true })
      })
      .on('close', () => resolve())
      .resume()
  })
