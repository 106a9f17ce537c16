import { printable } from '../../core/printable.ts'

/** Characters between which emphasis stands, as a renderer pairs them. */
type EmphasisSign = '*' | '_' | '~'

const signs = /\\|<(?=[a-z/!?]|[^\s<>]*@)|&(?=#?\w+;)|\](?=[([:])|`+|\*+|_+|~+|\$/gi

/**
 * Escapes a line of plain text, such as a label or an error message, so that Markdown shows exactly this text. In a comment on GitHub it mentions
 * no one, and has no formula. Signs that Markdown shows as they are stay as they are. Not for the beginning of a line: that is `escapeLine`.
 * @param within The sign of the emphasis around the text. Default: there is none.
 */
export function escapeText(text: string, within?: EmphasisSign): string {
  const line = oneLine(text)
  const hasCode = (line.match(/`+/g) ?? []).length > 1
  const hasFormula = formula.test(line)
  const opened = new Set<string>()
  const shown = line.replaceAll(signs, (run, at: number) => {
    const sign = run.charAt(0)
    if (sign === '`') return hasCode ? escaped(run) : run
    if (sign === '$') return hasFormula ? escaped(run) : run
    if (!isEmphasis(sign)) return escaped(run)
    const [before, after] = [line.charAt(at - 1), line.charAt(at + run.length)]
    const isInWord = sign === '_' && isOfWord(before) && isOfWord(after)
    const [opens, closes] = [after, before].map((beside) => !isInWord && beside.trim() !== '')
    if ((closes && opened.has(sign)) || (sign === within && !isInWord)) return escaped(run)
    if (opens) opened.add(sign)
    return run
  })
  return withoutMentions(shown)
}

/** The same at the beginning of a line, where a text could begin a heading, a list, a quotation, a rule or code. */
export const escapeLine = (text: string): string =>
  escapeText(text).replace(
    /^(\d{0,9})(?=[-+*](?:\s|$)|#{1,6}(?:\s|$)|>|(?:[-*_]\s*){2,}$|~{3}|`{3}|(?<=\d)[.)](?:\s|$))/,
    '$1\\',
  )

/** The same in a heading, whose last number signs would not be shown. */
export const escapeHeading = (text: string): string => escapeText(text).replace(/(?<=^|\s)(?=#+$)/, '\\')

/** The same in a cell of a table. */
export const escapeCell = (text: string): string => escapeText(text).replaceAll('|', String.raw`\|`)

/** The same in HTML. */
export const escapeHtml = (text: string): string => withoutMentions(withEntities(text))

/** The same in the value of an attribute, between double quotes. */
export const escapeAttribute = (text: string): string => withEntities(text).replaceAll('"', '&quot;')

const withEntities = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** From a dollar sign to another, without white space beside them on the inside. */
const formula = /\$(?!\s).*(?<!\s)\$/

/** GitHub finds mentions in what is shown, where no escape is left: only a sign without width keeps the name apart. */
const withoutMentions = (text: string): string => text.replaceAll(/(?<![\p{L}\p{N}_])@(?=[a-z\d])/giu, '@\u200B')

const oneLine = (text: string): string => printable(text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim())

const escaped = (run: string): string => run.replaceAll(/./g, String.raw`\$&`)

const isEmphasis = (sign: string): sign is EmphasisSign => /[*_~]/.test(sign)

const isOfWord = (sign: string): boolean => /[\p{L}\p{N}]/u.test(sign)
