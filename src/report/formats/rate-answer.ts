import { limitRules } from '../../metrics/limited-by/index.ts'
import { type Result } from '../../results/schema.ts'
import { fillLines } from '../charts/drawing/wrap.ts'
import {
  explainFoundRate,
  explainRateLimit,
  findScarcest,
  formatFoundRate,
  listFoundRates,
} from '../prose/rate-text.ts'

/** Terminals are at least so wide. */
const columns = 80

/** The rates that a result found: the figure first and alone, then what it means and what would raise it. */
export function formatRateAnswer(result: Result): string {
  const answers = listFoundRates(result).map(({ label, rate }) => {
    const scarcest = findScarcest(rate)
    const rule = limitRules.find(({ name }) => scarcest?.startsWith(`${name} (`))
    const paragraphs = [
      `${label === '' ? '' : `${label}: `}${formatFoundRate(rate)}`,
      explainFoundRate(rate),
      explainRateLimit(rate),
      rule === undefined ? '' : `To raise it: ${rule.remedy}.`,
    ].filter((text) => text !== '')
    return paragraphs.map((text) => `${fillLines(text, columns).join('\n')}\n`).join('\n')
  })
  return answers.join('\n')
}
