import { type Json, type Path } from '../../core/json.ts'
import { InvalidPart } from '../../language/issues.ts'
import { isNumber, toNumber } from '../../language/values/bson-types.ts'
import { compileValue } from '../../language/values/compile.ts'
import { type Draw } from '../../language/values/draw-context.ts'
import { maxPauseSeconds } from '../operations/operation.ts'
import { operationScope, type PhaseScope } from './phase-scope.ts'

/**
 * Compiles the pause after a call of an operation, in seconds. It depends on the number of the call alone: what calls count
 * and take is not for pauses. Undefined: there is none.
 * @throws {InvalidPart} when it draws what is no such pause.
 */
export function compilePause(
  pause: Json | undefined,
  { path, place }: { readonly path: Path; readonly place: string },
  phase: PhaseScope,
): Draw<number> | undefined {
  if (pause === undefined) return undefined
  const at = [...path, 'pause']
  const scope = operationScope(
    { ...phase, counter: phase.lateCounter },
    { place: `${place}.pause`, path: at, addressed: {} },
  )
  const refuse = (reason: string): never => {
    throw new InvalidPart(at, reason, 'Draw seconds, such as with "@exponential" or "@double", with a "max".')
  }
  const draw = compileValue(pause, { ...scope, rows: () => refuse('cannot draw from a collection') })
  return (drawContext) => {
    const drawn = draw(drawContext)
    const seconds = isNumber(drawn) ? toNumber(drawn) : Number.NaN
    if (seconds >= 0 && seconds <= maxPauseSeconds) return seconds
    return refuse(`must be a number of seconds from 0 to ${maxPauseSeconds}, and ${JSON.stringify(drawn)} was drawn`)
  }
}
