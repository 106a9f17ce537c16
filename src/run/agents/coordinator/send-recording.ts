import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Clock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import { type AgentLink } from './agent-link.ts'
import { askInTime } from './ask-in-time.ts'

/** The queue holds a piece for each agent at a time. */
const pieceBytes = 2 ** 20
const pieceMs = 60_000

/**
 * Sends a recording to agents in pieces, each when all of them have the one before it.
 * @param signal Ends it.
 * @returns its digest.
 * @throws {Problem} "aborted", or "agents-unavailable" for an agent that does not take it.
 */
export async function sendRecording(
  file: string,
  links: readonly Pick<AgentLink, 'name' | 'ask' | 'markLost'>[],
  { clock, signal }: { readonly clock: Pick<Clock, 'now' | 'sleep'>; readonly signal: AbortSignal },
): Promise<string> {
  const hash = createHash('sha256')
  const missing = `has not taken a piece of the recording for ${pieceMs / 1000} s`
  const timeouts = { firstReplyTimeoutMs: pieceMs, missing }
  let at = 0
  for await (const bytes of createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    if (signal.aborted) throw stopped()
    hash.update(bytes)
    await Promise.all(links.map((link) => askInTime(link, { kind: 'recording', at, bytes }, { timeouts, clock })))
    at += bytes.length
  }
  return hash.digest('hex')
}

const stopped = (): Problem =>
  new Problem('aborted', 'Stopped while the recording was sent to the agents', {
    hint: 'Nothing was replayed, and nothing was loaded.',
  })
