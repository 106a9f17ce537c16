import { deflateRawSync } from 'node:zlib'
import { serialize } from 'bson'
import { Problem } from '../../core/errors.ts'
import { DrawBudget, largestDocument, OutOfBudget } from '../../language/values/draw-context.ts'
import { tempVariable } from '../../servers/machine.ts'
import { listServerOptions } from '../../servers/targets/index.ts'
import { type Resources } from '../../servers/targets/server/preflight.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { createDataSet } from '../../spec/plan/data-set.ts'
import { type Spec } from '../../spec/schema/schema.ts'

const sampledDocuments = 20

/**
 * Compares the data of rows with the disks of the servers that they start. Data takes at least what is left of it after it has
 * been compressed: better than a server does by default, so what is refused could not have been loaded.
 * @throws {Problem} when a disk is too small.
 */
export async function preflightDisk(
  rows: readonly SpecRow[],
  tempFolder: string,
  { disk }: Pick<Resources, 'disk'>,
): Promise<void> {
  for (const { spec, label } of rows) {
    const servers = listServerOptions(spec.target)
    const needMB = servers.length === 0 ? 0 : minDataMB(spec)
    if (needMB === 0) continue
    const shards = spec.target.kind === 'sharded' ? spec.target.shards.length : 1
    const devices = new Map<string, { readonly folder: string; readonly freeMB: number; needMB: number }>()
    for (const { dbPath: folder = tempFolder } of servers) {
      const { device, freeMB } = await disk(folder)
      const entry = devices.get(device) ?? { folder, freeMB, needMB: 0 }
      entry.needMB += needMB / shards
      devices.set(device, entry)
    }
    for (const found of devices.values()) if (found.needMB > found.freeMB) throw tooLarge(label, found)
  }
}

/** The least space that the generated data of a row takes on a disk. */
function minDataMB({ data, seed }: Spec): number {
  const budget = new DrawBudget(largestDocument)
  return data.reduce((sum, dataSet, i) => {
    if (dataSet.file !== undefined || dataSet.existing !== undefined || dataSet.rows === 0) return sum
    const { documentOf } = createDataSet(dataSet, ['data', i], { seed, report: () => {}, budget })
    const sample: Uint8Array[] = []
    try {
      const rows = documentOf === undefined ? 0 : Math.min(sampledDocuments, dataSet.rows)
      for (let row = 0; row < rows; row++) sample.push(serialize(documentOf?.(row).document ?? {}))
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
    }
    if (sample.length === 0) return sum
    return sum + (deflateRawSync(Buffer.concat(sample)).byteLength / sample.length) * (dataSet.rows / 1024 ** 2)
  }, 0)
}

const tooLarge = (
  label: string,
  { folder, freeMB, needMB }: Record<'freeMB' | 'needMB', number> & { folder: string },
): Problem =>
  new Problem(
    'not-measurable-here',
    `The data${label === '' ? '' : ` of the row "${label}"`} takes at least ${Math.round(needMB)} MB, and ${folder} has ${Math.floor(freeMB)} MB free`,
    {
      hint: `Load fewer or smaller documents, or name another disk with "dbPath" (or with ${tempVariable()} for temporary folders).`,
    },
  )
