import { gzipSync } from 'node:zlib'
import { isObject, type Json } from '../../core/json.ts'
import { packResult } from '../../results/files/pack-result.ts'
import { type Result } from '../../results/schema.ts'
import { type Markup, markup } from './markup.ts'
import { packValues } from './packed-values.ts'
import { type DataFile, type PageData } from './page-data.ts'

/** Data for the script, compressed. */
export const packed = (data: PageData): Markup =>
  markup`<script type="application/octet-stream" data-packed="">${compressed(data).toString('base64')}</script>
`

const compressed = (value: unknown): Buffer => gzipSync(JSON.stringify(packValues(value as Json)), { level: 9 })

/** Limit for all raw results in a page together, compressed. */
const maxBytes = 250_000

/** Replacements for fields, by their names. The result stays one that can be read. */
type Thinner = { readonly leftOut: string; readonly fields: Readonly<Record<string, (value: Json) => Json>> }

/** Other fields are called samples too. */
const large = {
  histogram: () => null,
  histograms: () => [],
  responseHistograms: () => [],
  samples: (samples: Json) => (isObject(samples) ? null : samples),
}

/** From everything to less. */
const thinners: readonly Thinner[] = [
  { leftOut: '', fields: {} },
  { leftOut: 'without histograms and individual latencies', fields: large },
  {
    leftOut: 'without histograms, individual latencies and time lines',
    fields: { ...large, perSecond: emptySeries },
  },
  {
    leftOut: 'without histograms, individual latencies, time lines and counters of the servers',
    fields: { ...large, perSecond: emptySeries, members: withoutCounters },
  },
]

function emptySeries(series: Json): Json {
  return isObject(series) ? Object.fromEntries(Object.keys(series).map((name) => [name, []])) : series
}

/** Specs have members too. */
function withoutCounters(members: Json): Json {
  return Array.isArray(members) ? members.filter((member) => !(isObject(member) && 'totals' in member)) : members
}

/** The results as files to download: complete, or as much of them as keeps a page small. */
export function resultFiles(results: readonly Result[]): readonly DataFile[] {
  const choices = thinners.map((thinner) => results.map((result) => createDataFile(result, thinner)))
  return choices.find((files) => sumCompressedSizes(files) <= maxBytes) ?? choices.at(-1) ?? []
}

function createDataFile(result: Result, { leftOut, fields }: Thinner): DataFile {
  const thinned = thin(result as unknown as Json, fields) as unknown as Result
  return { name: `${result.spec.name}.json`, content: { kind: 'json', value: packResult(thinned) }, leftOut }
}

const sumCompressedSizes = (files: readonly DataFile[]): number =>
  files.reduce((total, file) => total + compressed(file).length, 0)

function thin(value: Json, fields: Thinner['fields']): Json {
  if (Array.isArray(value)) return value.map((item: Json) => thin(item, fields))
  if (!isObject(value)) return value
  const thinPart = (name: string, part: Json): Json =>
    Object.hasOwn(fields, name) ? (fields[name]?.(part) ?? null) : thin(part, fields)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, thinPart(name, part)]))
}
