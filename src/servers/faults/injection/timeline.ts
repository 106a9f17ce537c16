import { placeKey, Stream } from '../../../core/random.ts'
import { type Choose } from '../choose-servers.ts'
import { type AnyFault, type Beginnings, type Lasting } from '../fault.ts'
import { type FaultSpec, getFault, nameOfFault } from '../index.ts'

/** One time that a fault is to happen. */
export type PlannedFault = {
  /** Fault to inject: for a random fault, the one that was drawn. */
  readonly spec: AnyFault
  /** Seconds since the first measured call. */
  readonly atSeconds: number
  /** Infinity: when the phase is over. Null: it has nothing to undo. */
  readonly undoAtSeconds: number | null
  /** Chooses one of several servers that would do. */
  readonly choose: Choose
}

/**
 * The times that a fault happens, in their order: a pure function of seed, phase and fault.
 * @param lastSecond Where the phase stops, if after seconds: no fault begins then or later, and none lasts longer.
 */
export function* generateTimeline(
  spec: FaultSpec,
  { seed, phase, lastSecond }: { readonly seed: number; readonly phase: string; readonly lastSecond: number },
): Generator<PlannedFault> {
  const { atSeconds, everySeconds = Infinity, times = Infinity }: Beginnings = spec
  const key = placeKey(seed, `phases.${phase}.faults.${nameOfFault(spec)}`)
  for (let number = 0; number < times; number++) {
    const at = number === 0 ? atSeconds : atSeconds + number * everySeconds
    if (at >= lastSecond || at === Infinity) return
    const stream = new Stream(key).at(number)
    const choose: Choose = (limit) => stream.below(limit)
    const drawn = draw(spec, stream)
    const until = Math.min(at + drawn.forSeconds, lastSecond)
    yield {
      spec: drawn.spec,
      atSeconds: at,
      undoAtSeconds: getFault(drawn.spec.kind).lasts ? until : null,
      choose,
    }
  }
}

type Drawn = { readonly spec: AnyFault; readonly forSeconds: number }

function draw(fault: FaultSpec, stream: Stream): Drawn {
  if (fault.kind !== 'random') return { spec: fault, forSeconds: (fault as Lasting).forSeconds ?? Infinity }
  const { of, forSeconds } = fault
  const spec = of[stream.below(of.length)]
  if (spec === undefined) throw new Error('A random fault has something to draw from')
  return { spec, forSeconds: forSeconds.min + stream.float() * (forSeconds.max - forSeconds.min) }
}

/** For how long faults may keep every call of a phase from succeeding, at most, in ms. Infinity: as long as it lasts. */
export function maxOutageMs(specs: readonly FaultSpec[]): number {
  const lasting = specs.map((spec) => {
    if (spec.kind === 'random') return spec.forSeconds.max
    return getFault(spec.kind).lasts ? ((spec as Lasting).forSeconds ?? Infinity) : 0
  })
  // They may follow upon each other.
  return lasting.reduce((sum, seconds) => sum + seconds * 1000, 0)
}
