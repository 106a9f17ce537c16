import { targetHere } from '../../servers/targets/start/target-here.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { type SpecRow } from '../../spec/schema/read-rows.ts'

/** Lifts the limits that rows do not require and this machine cannot keep, before anything depends on them. */
export const rowsHere = (
  rows: readonly SpecRow[],
  context: Pick<StartContext, 'tempFolder' | 'host'>,
): Promise<readonly SpecRow[]> =>
  Promise.all(
    rows.map(async (row) => {
      const { spec: target, ...reason } = await targetHere(row.spec.target, context)
      return { ...row, spec: { ...row.spec, target }, ...reason }
    }),
  )
