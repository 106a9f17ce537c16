import { currentLook } from './colours.ts'

const steps = 32

/** Few slow operations are to be seen beside thousands of fast ones: a quarter of the highest density has half of its strength. */
const exponent = 2

/** Densities from low to high, as parts of the highest one, whose colours are equally far from each other. */
export const keyDensities: readonly number[] = [0, 0.25, 0.5, 0.75, 1].map((strength) => strength ** exponent)

/** A function from densities, as parts of the highest one, to colours of the theme that is shown. */
export function heatColours(): (density: number) => string {
  const { areas, series, ink } = currentLook()
  const [low = ink, middle = ink] = [areas[0], series[0]]
  const high = mixed(middle, ink, 0.6)
  // A canvas reads each text of a colour once, so there are few.
  const colours = Array.from({ length: steps + 1 }, (_, step) => {
    const strength = (2 * step) / steps
    return strength < 1 ? mixed(low, middle, strength) : mixed(middle, high, strength - 1)
  })
  return (density) => colours[Math.round(density ** (1 / exponent) * steps)] ?? high
}

const mixed = (one: string, other: string, share: number): string =>
  `color-mix(in oklab, ${one}, ${other} ${Math.round(share * 100)}%)`
