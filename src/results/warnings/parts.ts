import { groupDigits } from '../../core/quantities.ts'
import { type WarningFigure, type WarningPart } from '../schema/warnings.ts'

/** A figure as text: "207 ms". */
export const figureText = ({ value, unit }: WarningFigure): string =>
  `${groupDigits(value)}${unit === '' ? '' : ` ${unit}`}`

export const formatMessage = (parts: readonly WarningPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : figureText(part))).join('')
