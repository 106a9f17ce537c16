/** Registered from a bundled file by `png.ts`, so that machines without fonts can draw text; browsers may use their own. */
export const fontFamily = '"mongo-perf sans", system-ui, sans-serif'

/** The themes in which every chart can be drawn. */
export const themes = ['light', 'dark'] as const
/** A light or a dark background. */
export type Theme = (typeof themes)[number]

export type Look = {
  readonly ground: string
  /** Text, and what stands out. */
  readonly ink: string
  /** Secondary text. */
  readonly faint: string
  readonly grid: string
  readonly axis: string
  /** Areas behind lines: faults, warm-up, what is close enough. */
  readonly band: string
  readonly bandEdge: string
  /** Colours of series, after the palette of Okabe and Ito for colour-blind readers, with a contrast of at least 3 to the ground. */
  readonly series: readonly string[]
  /** The same colours for areas with text on them. */
  readonly areas: readonly string[]
}

export const looks: Readonly<Record<Theme, Look>> = {
  light: {
    ground: '#ffffff',
    ink: '#1f2328',
    faint: '#59636e',
    grid: '#e4e7eb',
    axis: '#9aa4ae',
    band: '#1f232814',
    bandEdge: '#1f23288c',
    series: ['#0072b2', '#d55e00', '#009267', '#b8588f', '#a87300', '#3a95c9', '#4d4d4d'],
    areas: ['#c9e1f2', '#fadbc6', '#c4e9dc', '#f3dcea', '#fae6bf', '#ddf0fa', '#dcdcdc'],
  },
  dark: {
    ground: '#0d1117',
    ink: '#e6edf3',
    faint: '#9da7b3',
    grid: '#262c36',
    axis: '#4c555f',
    band: '#e6edf31f',
    bandEdge: '#e6edf38c',
    series: ['#3d9fe0', '#f0883e', '#2ebd8e', '#e39bc5', '#e3b341', '#9ad4f5', '#b1bac4'],
    areas: ['#0f3f61', '#5c2f0a', '#0c4a37', '#552c47', '#543d07', '#1d4a63', '#3a414a'],
  },
}

/** Height of a line of the caption below a chart, in pixels. */
export const captionLine = 17

/** The font of every text: without a family, Chart.js would use fonts of the system. */
export function font(
  size: number,
  weight: 'normal' | 600 = 'normal',
): { family: string; size: number; weight: 'normal' | 600 } {
  return { family: fontFamily, size, weight }
}

/** The same for texts that plugins draw. */
export const fontText = (size: number): string => `${size}px ${fontFamily}`
