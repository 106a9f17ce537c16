import { Problem } from '../../core/errors.ts'
import { checkLinks } from '../targets/links/start-links.ts'
import { type Host } from '../targets/server/limits/check-limits.ts'
import { checkFileSizeLimit } from '../targets/server/process/server-life.ts'
import { type FaultSpec, listPossibleFaults, computeTargetNeeds } from './index.ts'

/**
 * Refuses faults that this machine cannot do, before any server is started for them.
 * @throws {Problem} "not-measurable-here" with the reason.
 */
export async function checkFaultsHere(specs: readonly FaultSpec[], host: Pick<Host, 'root'>): Promise<void> {
  checkLinks(computeTargetNeeds(specs).proxies, host)
  const kinds = new Set(specs.flatMap(listPossibleFaults).map(({ kind }) => kind))
  if (kinds.has('fileSizeLimit')) await checkFileSizeLimit()
  if (kinds.has('pause') && process.platform === 'win32')
    throw new Problem('not-measurable-here', 'Windows pauses no process', {
      hint: 'Run on Linux or macOS, or take "pause" out of the faults.',
    })
}
