/** Registered from a bundled file by `png.ts`, so that machines without fonts can draw text. */
export const fontFamily = 'mongo-perf sans'

/** Colour of text. */
export const ink = '#1f2328'
/** Colour of secondary text. */
export const faint = '#59636e'
/** Colour of grid lines. */
export const gridColour = '#e4e7eb'
/** Height of the caption below a chart, in pixels. */
export const roomForCaption = 30

/** The font of every text: without a family, Chart.js would use fonts of the system. */
export function font(
  size: number,
  weight: 'normal' | 600 = 'normal',
): { family: string; size: number; weight: 'normal' | 600 } {
  return { family: fontFamily, size, weight }
}
