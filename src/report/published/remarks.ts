import { jsonText } from '../../core/json.ts'
import { formatQuantity } from '../../core/quantities.ts'
import { whyNotCompared } from '../../metrics/trust/judge.ts'
import {
  closenessText,
  type ComparedRow,
  type Comparison,
  isMislabelled,
  publishedVerdicts,
  unitOfRate,
} from './compare.ts'

/** The remarks under the table: how close the ratios are, and the source of the figures. */
export const remarksOn = (comparison: Comparison): readonly string[] =>
  [ratiosText(comparison), cpuText(comparison), unmatched(comparison), origin(comparison)].filter((line) => line !== '')

function ratiosText({ base, ratios, spec, rows }: Comparison): string {
  const wanted = Object.entries(spec.base).map(([name, value]) => `${name} ${jsonText(value)}`)
  if (base === null) return `The base row (${wanted.join(', ')}) was not measured: there are no ratios.`
  if (ratios.of === 0) return ''
  const interval = rows.some((row) => row.interval !== null)
    ? ` A measured ratio is the mean of the rounds, with its 95 % interval.${verdictsText(rows)}`
    : ''
  return `Ratios to the base row (${base.row.variant.label}): ${closenessText(ratios, 'ratio')}.${interval}`
}

const verdictsText = (rows: readonly ComparedRow[]): string => {
  const counted = publishedVerdicts.map((one) => `${one} ${rows.filter(({ verdict }) => verdict === one).length}`)
  return ` Intervals against published ratios: ${counted.join(', ')}.`
}

function cpuText({ cpu, address }: Comparison): string {
  if (cpu.of === 0) return ''
  return `Server CPU per ${unitOfRate(address)}: ${closenessText(cpu, 'time')}.`
}

/** Meanings of the columns of a comparison. */
export const publishedDefinitions =
  'Published CPU: CPU usage of the host times its vCPUs, divided by the speed; measured: CPU time of the server process alone.'

function unmatched({ rows, notMeasured, address, spec }: Comparison): string {
  const notPublished = rows.filter(({ published }) => published === null).length
  const notCompared = rows.filter(({ row }) => whyNotCompared(row, address) !== null).length
  const mislabelled = rows.filter((row) => isMislabelled(row, spec)).length
  const parts = [
    mislabelled === 0
      ? ''
      : `${formatQuantity(mislabelled, 'published row')} that ${mislabelled === 1 ? 'is' : 'are'} not what the label says`,
    notCompared === 0
      ? ''
      : `${formatQuantity(notCompared, 'row')} that ${notCompared === 1 ? 'does' : 'do'} not compare`,
    notPublished === 0 ? '' : `${formatQuantity(notPublished, 'row')} here without a published figure`,
    notMeasured === 0 ? '' : `${formatQuantity(notMeasured, 'published row')} without a row here`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `Left out of the counts: ${parts.join(', ')}.`
}

function origin({ table }: Comparison): string {
  const { title, author, version, date } = table.source
  const edition = version === undefined ? '' : `, version ${version}`
  const published = date === undefined ? '' : `, ${date}`
  const meaning = table.meaning === null ? '' : ` Under "${table.column}" it has ${table.meaning}.`
  return (
    `Published: "${title}" by ${author}${edition}${published}, section "${table.section}". ` +
    `Its hardware differs (${table.hardware}): compare ratios, not figures.${meaning}`
  )
}
