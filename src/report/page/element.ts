import { type Look, type Theme, looks } from '../charts/drawing/look.ts'
import { styleAt } from '../charts/drawing/palette.ts'

type Attributes = Readonly<Record<string, string>>

/** An element with attributes and content. Texts stay texts, whatever they contain. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...content)
  return made
}

/** A button that does one thing. */
export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text)
  made.addEventListener('click', onClick)
  return made
}

/** A labelled choice of one of several texts. Null where there is nothing to choose. */
export function choice(
  label: string,
  texts: readonly string[],
  onChoice: (index: number) => void,
): HTMLLabelElement | null {
  if (texts.length < 2) return null
  const select = element('select', {}, ...texts.map((text, index) => element('option', { value: String(index) }, text)))
  select.addEventListener('change', () => onChoice(select.selectedIndex))
  return element('label', { class: 'choice' }, `${label} `, select)
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

/** The theme that is shown: that of the system, unless the reader chose the other. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  if (chosen === 'light' || chosen === 'dark') return chosen
  return dark.matches ? 'dark' : 'light'
}

/** The colours of the theme that is shown. */
export const currentLook = (): Look => looks[currentTheme()]

/** The colour of a series in the theme that is shown. */
export const colourAt = (index: number): string => styleAt(index, currentLook()).colour

export const onThemeChange = (listener: () => void): void => void listeners.add(listener)

/** A sample of a CSS background in the theme that is shown. */
export function swatch(background: () => string): HTMLElement {
  const sample = element('span', { class: 'swatch', 'aria-hidden': 'true' })
  const paint = (): void => sample.style.setProperty('background', background())
  paint()
  onThemeChange(paint)
  return sample
}

const otherTheme = (): string => (currentTheme() === 'dark' ? 'Light colours' : 'Dark colours')

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
