import { type ArgumentName, type NamedArguments, type Options } from '../intent.ts'
import { type DriverMethod } from './methods.ts'

/** Calls a method of the driver. */
export type Send = (args: NamedArguments, options?: Options) => unknown

/** Puts named arguments into the order of a method. Made once per operation, so that a call looks nothing up. */
export function createSend(owner: object, { name, takes }: DriverMethod): Send {
  const found: unknown = Reflect.get(owner, name)
  if (typeof found !== 'function') throw new Error(`The driver has no method ${name}`)
  const method = found.bind(owner) as (...positional: unknown[]) => unknown
  const [first, second] = takes as readonly [ArgumentName?, ArgumentName?]
  if (first === undefined) return (args, options = args.options) => method(options)
  if (second === undefined) return (args, options = args.options) => method(args[first], options)
  return (args, options = args.options) => method(args[first], args[second], options)
}
