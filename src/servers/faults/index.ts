import { z } from 'zod'
import { type TargetNeeds } from '../targets/target.ts'
import { delay } from './delay.ts'
import { failPoint } from './fail-point.ts'
import { type AnyFault, type Fault } from './fault.ts'
import { fileSizeLimit } from './file-size-limit.ts'
import { kill } from './kill.ts'
import { partition } from './partition.ts'
import { pause } from './pause.ts'
import { randomExample, randomFault } from './random.ts'
import { stepDown } from './step-down.ts'
import { terminate } from './terminate.ts'

/** A new fault is one file, and one word here. */
export const faults = [
  kill,
  terminate,
  pause,
  stepDown,
  partition,
  delay,
  failPoint,
  fileSizeLimit,
] as const satisfies readonly Fault[]

type SpecsOf<Entries extends readonly Fault[]> = { -readonly [Index in keyof Entries]: Entries[Index]['spec'] }
type DrawnOf<Entries extends readonly Fault[]> = { -readonly [Index in keyof Entries]: Entries[Index]['drawn'] }

const faultSpecs = faults.map(({ spec }) => spec) as unknown as SpecsOf<typeof faults>
const drawnFault = z
  .discriminatedUnion('kind', faults.map(({ drawn }) => drawn) as unknown as DrawnOf<typeof faults>)
  .meta({ title: 'DrawnFault' })
const random = randomFault(drawnFault)

/** All kinds of entries of the `faults` of a phase. */
export const faultSpec = z.discriminatedUnion('kind', [...faultSpecs, random]).meta({ title: 'Fault' })

export type FaultSpec = z.output<typeof faultSpec>

/** For lists and pages. */
export const faultKinds: readonly Pick<Fault, 'kind' | 'summary' | 'example'>[] = [
  ...faults,
  { kind: 'random', summary: random.description ?? '', example: randomExample },
]

const byKind = new Map<string, Fault>(faults.map((fault) => [fault.kind, fault]))

/** Returns the fault of a kind; throws if there is none. */
export function getFault(kind: string): Fault {
  const found = byKind.get(kind)
  if (!found) throw new Error(`No fault of kind "${kind}"`)
  return found
}

/** Name of a fault in tables and addresses. */
export const nameOfFault = ({ name, kind }: FaultSpec): string => name ?? kind

/** Lists the faults that may happen: a random fault is any of those that it draws from. */
export const listPossibleFaults = (spec: FaultSpec): readonly AnyFault[] => (spec.kind === 'random' ? spec.of : [spec])

export function computeTargetNeeds(specs: readonly FaultSpec[]): TargetNeeds {
  const needs = new Set(specs.flatMap(listPossibleFaults).flatMap(({ kind }) => getFault(kind).needs))
  return { proxies: needs.has('proxies'), testCommands: needs.has('testCommands') }
}
