import { type Socket } from 'node:net'
import { createDelayLine, type DelayLine } from './delay-line.ts'
import { type OneWay } from './delays.ts'
import { type Waker } from './waker.ts'

/** Two sockets that are one connection to those at their other ends. */
export type Connection = {
  readonly hold: () => void
  readonly release: () => void
  readonly cut: () => void
}

type Ways = { readonly there: OneWay; readonly back: OneWay }

/**
 * Hands on what comes in at one socket to the other, both ways. Both must be able to be open one way only.
 * @param onGone Called once, when both are closed.
 */
export function joinSockets(
  near: Socket,
  far: Socket,
  { there, back }: Ways,
  waker: Waker,
  onGone: () => void,
): Connection {
  const lines = [lineBetween(near, far, there, waker), lineBetween(far, near, back, waker)]
  const cut = (): void => {
    for (const line of lines) line.discard()
    near.destroy()
    far.destroy()
  }
  let open = 2
  for (const socket of [near, far]) {
    socket.setNoDelay(true)
    socket.on('error', cut)
    socket.on('close', () => {
      open -= 1
      if (open === 0) onGone()
    })
  }
  return {
    hold: () => lines.forEach((line) => line.hold()),
    release: () => lines.forEach((line) => line.release()),
    cut,
  }
}

function lineBetween(from: Socket, to: Socket, delayMs: OneWay, waker: Waker): DelayLine {
  const line = createDelayLine({
    delayMs,
    waker,
    deliver: (bytes) => to.write(bytes),
    deliverEnd: () => void to.end(),
    onRoom: () => void from.resume(),
  })
  from.on('data', (bytes: Buffer) => void (line.push(bytes) || from.pause()))
  from.on('end', line.end)
  to.on('drain', line.drained)
  to.on('close', line.discard)
  return line
}
