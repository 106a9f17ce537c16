import { Problem } from '../errors.ts'
import { columnOf, isMeasure, type Measure, measures } from './columns.ts'
import { nearest } from '../nearest.ts'
import { type TableRows } from './schema.ts'
import { type Place, type Shape } from './scope.ts'

/** A place of null is that of the row: the operation that the row stands for. */
export type Address = { readonly measure: Measure; readonly place: Place | null }

export type AddressFault = { readonly reason: string; readonly nearest: string | null }

/**
 * Checks `[phase.][operation.]measure` against the names of a spec.
 * @param rows The rows of the table it stands in: where a row is one operation, a bare measure is that operation's.
 */
export function checkAddress(address: string, shape: Shape, rows: TableRows = 'variants'): AddressFault | null {
  const read = readAddress(address, shape, rows)
  return 'reason' in read ? read : null
}

/** The same for a reader that cannot go on without the address. */
export function parseAddress(address: string, shape: Shape, rows: TableRows = 'variants'): Address {
  const read = readAddress(address, shape, rows)
  if (!('reason' in read)) return read
  const hint = read.nearest === null ? `The measures are ${measures.join(', ')}.` : `Did you mean "${read.nearest}"?`
  throw new Problem('spec-invalid', `The report names "${address}", but ${read.reason}`, { hint })
}

function readAddress(address: string, shape: Shape, rows: TableRows): Address | AddressFault {
  const dot = address.lastIndexOf('.')
  const measure = address.slice(dot + 1)
  const prefix = dot < 0 ? null : address.slice(0, dot)
  if (!isMeasure(measure)) return unknownMeasure(measure, prefix)
  const place = prefix === null ? barePlace(measure, shape, rows) : namedPlace(prefix, measure, shape)
  if (place !== null && 'reason' in place) return place
  return wholePhaseOnly(measure, place, shape) ?? { measure, place }
}

function unknownMeasure(measure: string, prefix: string | null): AddressFault {
  const meant = nearest(measure, measures) ?? null
  return {
    reason: `there is no measure "${measure}"`,
    nearest: meant === null || prefix === null ? meant : `${prefix}.${meant}`,
  }
}

function barePlace(measure: Measure, shape: Shape, rows: TableRows): Place | AddressFault | null {
  const [first, ...others] = shape.phases
  if (rows === 'operations' || first === undefined) return null
  if (others.length === 0) return { phase: first.name, operation: null }
  return { reason: `several phases are measured: say which`, nearest: `${first.name}.${measure}` }
}

function namedPlace(prefix: string, measure: Measure, shape: Shape): Place | AddressFault {
  const known = namedPlaces(shape)
  const [found, ...others] = known.filter(({ name }) => name === prefix)
  if (found === undefined && shape.partial === true) return { phase: prefix, operation: null }
  if (found === undefined) {
    const names = known.map(({ name }) => name)
    const meant = nearest(prefix, names) ?? null
    return {
      reason: `no measured phase or operation is called "${prefix}"`,
      nearest: meant === null ? null : `${meant}.${measure}`,
    }
  }
  if (others.length === 0) return found.place
  const { phase, operation } = found.place
  return {
    reason: `several phases and operations are called "${prefix}"`,
    nearest: operation === null ? null : `${phase}.${operation}.${measure}`,
  }
}

/** Every way to write every place. An operation that is alone in a phase of the same name is that phase. */
function namedPlaces({ phases }: Shape): readonly { readonly name: string; readonly place: Place }[] {
  return phases.flatMap(({ name: phase, operations }) => [
    { name: phase, place: { phase, operation: null } },
    ...operations.flatMap((operation) => [
      ...(operations.length === 1 && operation === phase ? [] : [{ name: operation, place: { phase, operation } }]),
      { name: `${phase}.${operation}`, place: { phase, operation } },
    ]),
  ])
}

function wholePhaseOnly(measure: Measure, place: Place | null, { phases }: Shape): AddressFault | null {
  if (place === null || place.operation === null || columnOf(measure).of === 'operations') return null
  const phase = phases.find(({ name }) => name === place.phase)
  if (phase === undefined || phase.operations.length === 1) return null
  return {
    reason: `"${measure}" is known for the phase "${place.phase}" as a whole, not for one of its operations`,
    nearest: `${place.phase}.${measure}`,
  }
}
