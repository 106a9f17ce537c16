import { type Warning } from '../results/schema/warnings.ts'
import { type CoreDivision } from '../targets/cores/divide-cores.ts'

/** Client and servers that share cores, although the spec asks for cores of their own. */
export function warningsOfCores(division: CoreDivision | undefined): readonly Warning[] {
  if (division === undefined || !('reason' in division)) return []
  return [
    {
      code: 'cores-shared',
      message: `Client and servers share their cores, although the spec asks for cores of their own: ${division.reason}`,
      advice: 'Rows repeat less well. Run on Linux with more cores.',
    },
  ]
}
