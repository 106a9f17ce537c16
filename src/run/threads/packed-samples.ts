import { serialize } from 'bson'
import { fromBson } from '../../language/values/from-bson.ts'
import { type DataSet } from '../../spec/plan/data-set.ts'

/** Values that `@sample` draws, on their way to a thread: objects lose their class there, BSON does not. */
export type PackedSamples = {
  /** Position of the data set in the spec. */
  readonly dataSet: number
  readonly path: string
  /** A document for each value. */
  readonly values: readonly Uint8Array[]
}

/** @param paths Those that were read, by collection. */
export function packSamples(
  dataSets: readonly DataSet[],
  paths: ReadonlyMap<string, ReadonlySet<string>>,
): readonly PackedSamples[] {
  return dataSets.flatMap(({ spec, samples }, dataSet) =>
    [...(paths.get(spec.collection) ?? [])].map((path) => ({
      dataSet,
      path,
      values: (samples(path) ?? []).map((value) => serialize({ value })),
    })),
  )
}

export function unpackSamples(dataSets: readonly DataSet[], packed: readonly PackedSamples[]): void {
  for (const { dataSet, path, values } of packed)
    dataSets[dataSet]?.keepSamples(
      path,
      values.map((bytes) => fromBson(bytes)['value']),
    )
}
