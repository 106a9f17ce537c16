import { type Json } from '../json.ts'
import { type SpecFunction } from './function.ts'

/** The arguments of a call: the elements of a list, or the only argument. */
export function functionArguments(known: SpecFunction, argument: Json): readonly Json[] {
  const list = Array.isArray(argument) ? (argument as readonly Json[]) : undefined
  if (list === undefined) return [argument]
  const listIsTheArgument = known.takesList === true || (known.arity[1] === 1 && list.length !== 1)
  return listIsTheArgument ? [list] : list
}
