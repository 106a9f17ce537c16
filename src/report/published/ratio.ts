import { parseAddress } from '../../metrics/address.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { decimalText, intervalText, type JudgedRatio, ratioIn } from '../../metrics/ratios.ts'
import { variedNames } from '../../metrics/rows/parameters.ts'
import { type At, findSibling } from '../../metrics/rows/siblings.ts'
import { ratio } from '../../metrics/statistics.ts'
import { listAdjacentSpecs } from '../../spec/published/find-table.ts'
import { comparePublished, isMislabelled, judgePublished, type PublishedVerdict } from './compare.ts'

/** The published counterpart of a ratio in `let`. Null: a row of it, or its metric, has no published figure. */
function publishedRatio(name: string, evaluation: Evaluation): number | null {
  const { spec, shape, rows, result } = evaluation
  const wanted = ratioIn(spec.let?.[name])
  if (wanted === null || spec.published === undefined) return null
  const key = (of: string): string => JSON.stringify([parseAddress(of, shape).metric, parseAddress(of, shape).target])
  const found = [spec.published, ...listAdjacentSpecs(spec.published)].find(
    ({ metric }) => key(metric) === key(wanted.of),
  )
  const [first] = rows('variants')
  if (found === undefined || first === undefined) return null
  const comparison = comparePublished(evaluation, { ...found, beside: [] })
  const at = (place: At): number | null => {
    const row = findSibling(first, place, rows('variants'), variedNames(result))
    const compared = comparison.rows.find((one) => one.row === row)
    return compared === undefined || isMislabelled(compared, found) ? null : compared.published
  }
  return ratio(at(wanted.at), at(wanted.to))
}

/** Verdict of a measured ratio on the published one. */
type Beside = {
  /** Null: the measured ratio has no interval. */
  readonly verdict: PublishedVerdict | null
  /** All of it as a clause. */
  readonly text: string
}

/** A ratio of `let` beside the published one. Null: nothing was published. */
export function besidePublished(name: string, measured: JudgedRatio, evaluation: Evaluation): Beside | null {
  const published = publishedRatio(name, evaluation)
  if (published === null) return null
  const shown = `the published ${decimalText(published, published)}`
  const { ratio: mean, low, high } = measured
  if (mean === null || low === null || high === null)
    return { verdict: null, text: `there is no interval to judge ${shown} by` }
  const interval = `the 95 % interval (${intervalText({ ratio: mean, low, high })})`
  const verdict = judgePublished({ low, high }, published)
  const text = verdict === 'too wide to tell' ? `contains ${shown}, but is too wide to tell` : `${verdict} ${shown}`
  return { verdict, text: `${interval} ${text}` }
}
