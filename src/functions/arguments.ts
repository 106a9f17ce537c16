import { type Json } from '../json.ts'
import { type SpecFunction } from './function.ts'

/** The arguments of a call: a list is its arguments, anything else its only one. */
export function functionArguments(known: SpecFunction, argument: Json): readonly Json[] {
  const list = Array.isArray(argument) ? (argument as readonly Json[]) : undefined
  if (list === undefined) return [argument]
  const listIsTheArgument = known.takesList === true || (known.arity[1] === 1 && list.length !== 1)
  return listIsTheArgument ? [list] : list
}
