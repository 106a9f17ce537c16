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
