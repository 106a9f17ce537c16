import { placeKey, Stream } from '../../core/random.ts'
import { upperBounds } from '../../language/generators/choice.ts'
import { createCounter } from '../../language/values/scope.ts'
import { type Share, wholePhase } from '../../load/plan/share.ts'

/** Chooses the operation of a phase that is called next. */
export type Chooser = {
  readonly choose: (call: number) => number
  /** Number under which a call of an operation is drawn. */
  readonly drawNumber: (operation: number, call: number) => number
  /** A call has been answered. Not there when that changes nothing. */
  readonly answered?: (operation: number, ms: number) => void
}

/** How often an operation is chosen: by its weight, or by its share of time. */
export type Proportion = { readonly weight: number; readonly share: number | undefined }

/**
 * Operations by their shares of time where they have some, else by their weights.
 * @param place Phase and pass.
 * @param unit Default: the only one.
 */
export function createChooser(
  operations: readonly Proportion[],
  seed: number,
  place: string,
  unit: Share = wholePhase,
): Chooser {
  const shares = operations.flatMap(({ share }) => share ?? [])
  if (shares.length > 0) return byShare(shares, unit)
  const choices = new Stream(placeKey(seed, `${place}#operation`))
  return {
    choose: operations.length === 1 ? () => 0 : byWeight(operations, choices),
    drawNumber: (_operation, call) => call,
  }
}

function byWeight(operations: readonly Proportion[], choices: Stream): Chooser['choose'] {
  const bounds = upperBounds(operations.map(({ weight }) => weight))
  return (call) => {
    const drawn = choices.at(call).float()
    let chosen = 0
    while (drawn >= (bounds[chosen] ?? 1)) chosen++
    return chosen
  }
}

/** Duration assumed for a call before one of its operation has been answered. */
const firstGuessMs = 1

/**
 * The operation that lags most behind its share of the time is next. A call counts with the mean of its operation while it
 * is under way, so that workers that ask at the same time do not all get the same one. Which operations are called depends
 * on how long they take, but what the nth call of an operation is does not. Of several units each keeps its own account of the
 * time.
 */
function byShare(shares: readonly number[], { index, of }: Share): Chooser {
  const spent = shares.map((share) => ({ share, ms: 0, calls: createCounter(index, of), inFlight: 0, answered: 0 }))
  type Spent = (typeof spent)[number]
  const meanMs = ({ ms, answered }: Spent): number => (answered === 0 ? firstGuessMs : ms / answered)
  const soFar = (one: Spent): number => (one.ms + one.inFlight * meanMs(one)) / one.share
  return {
    choose() {
      let least = 0
      for (let i = 1; i < spent.length; i++) if (soFar(spent[i] as Spent) < soFar(spent[least] as Spent)) least = i
      return least
    },
    drawNumber(operation) {
      const one = spent[operation] as Spent
      one.inFlight += 1
      return one.calls.take()
    },
    answered(operation, ms) {
      const one = spent[operation] as Spent
      one.inFlight -= 1
      one.answered += 1
      one.ms += ms
    },
  }
}
