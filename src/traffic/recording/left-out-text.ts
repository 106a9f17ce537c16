import { printableName } from '../../core/printable.ts'
import { type LeftOut } from './header.ts'

/** Says what a recording does not have: one line, or none. */
export function leftOutText(leftOut: LeftOut): readonly string[] {
  const parts = Object.entries(leftOut).map(([reason, number]) => `${printableName(reason)} (${number})`)
  return parts.length === 0 ? [] : [`left out: ${parts.join(', ')}`]
}
