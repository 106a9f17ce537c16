/** Registered from our own file by `png.ts`, so that text shows on a machine without fonts. */
export const fontFamily = 'mongo-perf sans'

export const ink = '#1f2328'
export const faint = '#59636e'
export const gridColour = '#e4e7eb'
/** Below everything else in a chart, for the small print. */
export const roomForCaption = 30

/** Chart.js falls back to fonts of the system wherever no family is named, so every text asks here. */
export function font(
  size: number,
  weight: 'normal' | 600 = 'normal',
): { family: string; size: number; weight: 'normal' | 600 } {
  return { family: fontFamily, size, weight }
}
