import { type Address } from '../../metrics/address.ts'
import { type Place } from '../../metrics/scope.ts'

/** An address for readers: "findOne: p99 (ms)". */
export const titleOf = ({ column, place }: Address): string => `${placeText(place)}${column.title}`

function placeText(place: Place | null): string {
  switch (place?.kind) {
    case undefined:
    case 'storage':
      return ''
    case 'check':
      return `${place.check}: `
    case 'phase':
      return `${place.phase}: `
    case 'operation':
      return `${place.phase} ${place.operation}: `
    case 'step':
      return `${place.phase} ${place.operation} ${place.step}: `
    case 'stream':
      return `${place.phase} ${place.stream}: `
  }
}
