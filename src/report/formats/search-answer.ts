import { limitRules } from '../../metrics/limited-by/index.ts'
import { type Result } from '../../results/schema.ts'
import { answerSearch, explainLimit, findScarcest, listSearches } from '../prose/search-text.ts'
import { type Report } from '../report.ts'
import { fillText, plainLine, spaced, type TextLine } from './text-blocks.ts'
import { formatTrust } from './text.ts'

/** The rates that a result found: what each means, what would raise it, and how far to believe it. */
export function formatSearchAnswers(result: Result, { overview }: Report, columns: number): readonly TextLine[] {
  const searches = listSearches(result)
  const answers = searches.map((found): TextLine => ({ text: fillText(answerSearch(found), columns), style: 'figure' }))
  const limits = searches.flatMap(({ label, search }) => {
    const scarcest = findScarcest(search)
    const rule = limitRules.find(({ name }) => scarcest?.startsWith(`${name} (`))
    const limit = [explainLimit(search), rule === undefined ? '' : `To improve it: ${rule.remedy}.`]
    const text = limit.filter((sentence) => sentence !== '').join(' ')
    return text === '' ? [] : [plainLine(fillText(label === '' ? text : `${label}: ${text}`, columns))]
  })
  return spaced([...answers, ...formatTrust(overview, columns), ...limits])
}
