import { type Look, looks } from '../charts/drawing/look.ts'
import { styleAt } from '../charts/drawing/palette.ts'
import { currentTheme } from './theme.ts'

/** The colours of the theme that is shown. */
export const currentLook = (): Look => looks[currentTheme()]

/** The colour of a series in the theme that is shown. */
export const colourAt = (index: number): string => styleAt(index, currentLook()).colour
