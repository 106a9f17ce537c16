/** HTML that is safe to write: only `markup` makes it of values, and it escapes every text. */
export type Markup = { readonly text: string }

/** Content that may stand between the tags of a template. Null and false: nothing. */
export type Content = string | number | Markup | null | false | readonly Content[]

/** A template whose texts are escaped, for elements and for attributes in double quotes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  return trusted(strings.map((text, index) => text + renderContent(values[index] ?? null)).join(''))
}

/** Text that is HTML already: of this program, or of a renderer that escapes. */
export const trusted = (text: string): Markup => ({ text })

function renderContent(value: Content): string {
  if (value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return 'text' in value ? value.text : value.map(renderContent).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')

/** Data for scripts. No text in it can end the element, or begin a comment. */
export const jsonScript = (name: string, value: unknown): Markup =>
  markup`<script type="application/json" data-json="${name}">${trusted(safeJson(value))}</script>`

const safeJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)

/** A number with the digits that can be seen in a drawing. */
export const rounded = (value: number): number => Number(value.toPrecision(4))
