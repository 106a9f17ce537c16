import { type ReplayOptions } from './prepare-replay.ts'

/** A replay as it is handed to the process of a side, in JSON. */
export type GivenReplay = Omit<ReplayOptions, 'only' | 'clock' | 'mayWrite' | 'chooseShares'> & {
  readonly file: string
  readonly only: readonly string[] | undefined
}
