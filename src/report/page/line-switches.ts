import { button, element, swatch } from './element.ts'

export type SwitchedLine = {
  readonly label: string
  /** The CSS background of its sample, in the theme that is shown. */
  readonly sample: () => string
}

/** Buttons that show and hide the lines of a chart. */
export type LineSwitches = {
  readonly isShown: (index: number) => boolean
  /** Null: there is one line. */
  readonly group: HTMLElement | null
}

/** The legend of a chart as buttons. One line stays. */
export function lineSwitches(
  lines: readonly SwitchedLine[],
  { shownFirst, onChange }: { readonly shownFirst: number; readonly onChange: () => void },
): LineSwitches {
  const shown = new Set(lines.map((_, index) => index).filter((index) => index < shownFirst))
  const isShown = (index: number): boolean => shown.has(index)
  if (lines.length < 2) return { isShown, group: null }
  const buttons = lines.map(({ label, sample }, index) => {
    const one = button(label, () => {
      if (isShown(index) && shown.size === 1) return
      if (!shown.delete(index)) shown.add(index)
      one.setAttribute('aria-pressed', String(isShown(index)))
      onChange()
    })
    one.setAttribute('aria-pressed', String(isShown(index)))
    one.prepend(swatch(sample))
    return one
  })
  return {
    isShown,
    group: element('div', { class: 'legend', role: 'group', 'aria-label': 'Lines of the chart' }, ...buttons),
  }
}
