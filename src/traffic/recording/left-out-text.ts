import { printableName } from '../../core/printable.ts'
import { groupDigits } from '../../core/quantities.ts'
import { type LeftOut } from './header.ts'

/** Lists what was left out of a recording, in one line. Empty: nothing was. */
export function leftOutText(leftOut: LeftOut): readonly string[] {
  const parts = Object.entries(leftOut).map(([reason, number]) => `${printableName(reason)} (${groupDigits(number)})`)
  return parts.length === 0 ? [] : [`left out: ${parts.join(', ')}`]
}
