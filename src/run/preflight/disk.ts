import { deflateRawSync } from 'node:zlib'
import { serialize } from 'bson'
import { Problem } from '../../core/errors.ts'
import { groupDigits } from '../../core/quantities.ts'
import { DrawBudget, largestDocument, OutOfBudget } from '../../language/values/draw-context.ts'
import { sum } from '../../metrics/statistics.ts'
import { tempVariable } from '../../servers/machine.ts'
import { listServerOptions } from '../../servers/targets/index.ts'
import { type Resources } from '../../servers/targets/server/preflight.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { createDataSet, type DataSet } from '../../spec/plan/data-set.ts'
import { type DataSetSpec } from '../../spec/schema/data-schema.ts'
import { type Spec } from '../../spec/schema/schema.ts'
import { ofRow } from './descriptors.ts'

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
    const devices = new Map<string, Device>()
    for (const { dbPath: folder = tempFolder } of servers) {
      const { device, freeMB } = await disk(folder)
      const before = devices.get(device) ?? { folder, freeMB, needMB: 0 }
      devices.set(device, { ...before, needMB: before.needMB + needMB / shards })
    }
    const full = [...devices.values()].find((device) => device.needMB > device.freeMB)
    if (full !== undefined) throw tooLarge(label, full)
  }
}

type Device = { readonly folder: string; readonly freeMB: number; readonly needMB: number }

/** The least space that the generated data of a row takes on a disk. */
function minDataMB({ data, seed }: Spec): number {
  const budget = new DrawBudget(largestDocument)
  return sum(
    data.filter(isGenerated).map((dataSet) => {
      const { documentOf } = createDataSet(dataSet, ['data'], { seed, report: () => {}, budget })
      const sample = documentOf === undefined ? [] : drawDocuments(documentOf, Math.min(sampledDocuments, dataSet.rows))
      if (sample.length === 0) return 0
      return (deflateRawSync(Buffer.concat(sample)).byteLength / sample.length) * (dataSet.rows / 1024 ** 2)
    }),
  )
}

const isGenerated = ({ file, existing, rows }: DataSetSpec): boolean =>
  file === undefined && existing === undefined && rows > 0

/** Draws the first documents, as far as the budget reaches. */
function drawDocuments(documentOf: NonNullable<DataSet['documentOf']>, rows: number): readonly Uint8Array[] {
  const sample: Uint8Array[] = []
  try {
    for (let row = 0; row < rows; row++) sample.push(serialize(documentOf(row).document))
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error
  }
  return sample
}

const tooLarge = (label: string, { folder, freeMB, needMB }: Device): Problem =>
  new Problem(
    'not-measurable-here',
    `The data${ofRow(label)} takes at least ${groupDigits(Math.round(needMB))} MB, and ${folder} has ${groupDigits(Math.floor(freeMB))} MB free`,
    {
      hint: `Load fewer or smaller documents, or name another disk with "dbPath" (or with ${tempVariable()} for temporary folders).`,
    },
  )
