// Runs as a thread of an agent for each share of a replay; see run/threads/thread-work.ts.
import { workerData } from 'node:worker_threads'
import { type LoadUnit } from '../../load/load-unit.ts'
import { serveUnit } from '../../load/threads/serve-unit.ts'
import { clockWithOrigin, mayGoOnUntil } from '../../load/threads/thread-clock.ts'
import { type ReplayOfAgent, type ThreadWork } from '../../run/threads/thread-work.ts'
import { compilePhase } from '../../spec/plan/compile-phase.ts'
import { openRecording } from '../recording/open-recording.ts'
import { prepareForAgent } from './replay-for-agents.ts'

serveUnit(() => createUnit(workerData as ThreadWork & { readonly replay: ReplayOfAgent }))

async function createUnit({
  replay,
  share,
  uri,
  seed,
  phase,
  ...work
}: ThreadWork & { readonly replay: ReplayOfAgent }): Promise<LoadUnit> {
  const clock = clockWithOrigin(work.clockOriginMs)
  const prepared = await prepareForAgent(await openRecording(replay.file), replay, { share, clock })
  const compiled = compilePhase(phase, ['phase'], [], { seed, report: neverWrong })
  return await prepared.createUnit(prepared.ownLoad.plan(compiled), uri, mayGoOnUntil(work, clock))
}

/** The main thread has compiled the same before. */
function neverWrong(): never {
  throw new Error('A replay has operations that are wrong')
}
