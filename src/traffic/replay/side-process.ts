// Runs as a process of its own for each side of each round that replays a recording; see verdicts/ab/run-side.ts.

import { systemClock } from '../../core/clock.ts'
import { serveSide } from '../../verdicts/ab/serve-side.ts'
import { openRecording } from '../recording/open-recording.ts'
import { type GivenReplay, prepareReplay } from './prepare-replay.ts'

// Whether it may write was asked before the first round.
const mayWrite = (): boolean => true

serveSide(async (given) => {
  const { file, only, ...options } = given as GivenReplay
  const asked = { ...options, only: only && new Set(only), mayWrite, clock: systemClock }
  return await prepareReplay(await openRecording(file), file, asked)
})
