/** A panel, drawn on the same scale as others with its title. */
type ScaledPanel = {
  readonly title: string
  /** Values that it shows now. */
  readonly values: () => readonly number[]
  readonly draw: () => void
  /** Whether the page still has it. */
  readonly isInPage: () => boolean
}

/** Scales for panels of the same quantity, in results side by side. */
export type SharedScales = {
  readonly join: (panel: ScaledPanel) => void
  /** Returns the values that all panels with this title show. */
  readonly valuesOf: (title: string) => readonly number[]
  /** Draws the panels with this title again, because one of them shows something else. */
  readonly redraw: (title: string) => void
}

export function sharedScales(): SharedScales {
  const panels: ScaledPanel[] = []
  const titled = (title: string): readonly ScaledPanel[] =>
    panels.filter((panel) => panel.title === title && panel.isInPage())
  return {
    join: (panel) => void panels.push(panel),
    valuesOf: (title) => titled(title).flatMap(({ values }) => values()),
    redraw: (title) => titled(title).forEach(({ draw }) => draw()),
  }
}
