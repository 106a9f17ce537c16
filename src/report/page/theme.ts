import { type Theme } from '../charts/drawing/look.ts'
import { button } from './element.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** The theme that is shown: that of the system, unless the reader chose the other. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return dark.matches ? 'dark' : 'light'
}

/** Calls a function when the theme changes. */
export const onThemeChange = (listener: () => void): void => void listeners.add(listener)

const otherTheme = (): string => (currentTheme() === 'dark' ? 'Light colours' : 'Dark colours')

/** Adds the button that changes the theme. */
export function setUpTheme(tools: Element): void {
  const changed = (): void => {
    toggle.textContent = otherTheme()
    for (const listener of listeners) listener()
  }
  const toggle = button(otherTheme(), () => {
    document.documentElement.dataset['theme'] = currentTheme() === 'dark' ? 'light' : 'dark'
    changed()
  })
  dark.addEventListener('change', changed)
  tools.append(toggle)
}
