import { type SideName } from '../../results/schema/pairing.ts'
import { type RunSide } from './run-side.ts'

/** Has `prepare` change the server before each turn of a side, when neither side has a call under way. A failure of it ends both. */
export const prepareTurns =
  (runSide: RunSide, prepare: (side: SideName) => Promise<void>): RunSide =>
  async (run, control) => {
    const failed = new AbortController()
    const { turnsOf } = run
    async function waitForTurn(): Promise<number | undefined> {
      const seconds = await control.waitForTurn?.()
      if (seconds === undefined || turnsOf === undefined) return seconds
      try {
        await prepare(turnsOf)
        return seconds
      } catch (error) {
        failed.abort(error)
        return undefined
      }
    }
    const signal = AbortSignal.any([control.signal, failed.signal])
    const result = await runSide(run, { ...control, signal, ...(control.waitForTurn && { waitForTurn }) })
    failed.signal.throwIfAborted()
    return result
  }
