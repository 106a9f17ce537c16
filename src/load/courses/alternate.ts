import { placeKey, Stream } from '../../core/random.ts'
import { type PassRun } from '../run-pass.ts'
import { type Course, type PassPlan } from './course.ts'

/** A load that is on and off in turn while others run. */
export type Alternation = {
  /** Its name. */
  readonly load: string
  /** Length of a pass. */
  readonly seconds: number
  /** Whether it is on, for each pass: they are pairs of one with it and one without it. */
  readonly isOn: readonly boolean[]
}

/** Draws which pass of each pair comes first. */
export function orderPairs(pairs: number, seed: number, place: string): readonly boolean[] {
  const draws = new Stream(placeKey(seed, `${place}#alternate`))
  return Array.from({ length: pairs }, (_, pair) => draws.at(pair).float() < 0.5).flatMap((first) => [first, !first])
}

/** Share of a pass that comes before it and is not measured: caches are those of the pass before. */
const leadInShare = 0.1

/**
 * The passes of a load, in half of which another load is on; or of that load, which runs in half of them, from the beginning of their lead-in on. A
 * load that has failed or was ended keeps meeting the others.
 * @param name Of the load.
 * @param meet Waits until the calls of all loads have been answered, and returns when the next pass can begin.
 */
export function alternate(
  { load, seconds, isOn }: Alternation,
  name: string,
  meet: () => Promise<number>,
): Course<PassPlan, PassRun> {
  const alternates = load === name
  const leadInSeconds = seconds * leadInShare
  const left = [...isOn.entries()]
  return {
    async next(behind) {
      for (let turn = left.shift(); turn !== undefined; turn = left.shift()) {
        const [i, on] = turn
        const startMs = await meet()
        if (behind.some(({ endedBecause }) => endedBecause !== 'seconds') || (alternates && !on)) continue
        return alternates
          ? { startMs, stopAfter: { seconds: leadInSeconds + seconds } }
          : { startMs, leadInSeconds, stopAfter: { seconds }, of: { pair: Math.floor(i / 2), on } }
      }
      // Ended before its first pass.
      return behind.length === 0 ? { stopAfter: { seconds: 0 } } : undefined
    },
  }
}
