import { limitRules } from '../../metrics/limited-by/index.ts'
import { type Result } from '../../results/schema.ts'
import { fillLines } from '../charts/drawing/wrap.ts'
import { explainAnswer, explainLimit, findScarcest, formatAnswer, listSearches } from '../prose/search-text.ts'

/** Terminals are at least so wide. */
const columns = 80

/** The rates that a result found: the figure first and alone, then what it means and what would raise it. */
export function formatSearchAnswers(result: Result): string {
  const answers = listSearches(result).map(({ label, search }) => {
    const scarcest = findScarcest(search)
    const rule = limitRules.find(({ name }) => scarcest?.startsWith(`${name} (`))
    const paragraphs = [
      `${label === '' ? '' : `${label}: `}${formatAnswer(search)}`,
      explainAnswer(search),
      explainLimit(search),
      rule === undefined ? '' : `To raise it: ${rule.remedy}.`,
    ].filter((text) => text !== '')
    return paragraphs.map((text) => `${fillLines(text, columns).join('\n')}\n`).join('\n')
  })
  return answers.join('\n')
}
