import { Problem } from '../../../core/errors.ts'
import { coreListText } from '../../core-list.ts'
import { type StartContext } from '../target.ts'
import { readAllowedCores } from './allowed-cores.ts'
import { type CoresField } from './cores-field.ts'
import { type CoreDivision, divideCores } from './divide-cores.ts'
import { whyNoTaskset } from './taskset.ts'

/**
 * The cores of a target on this machine. Undefined: client and servers share them on purpose.
 * @param cpus Maximum CPU limit of its own servers.
 * @throws {Problem} "not-measurable-here" where cores that the spec names cannot be used. "apart" is never a reason to fail.
 */
export async function coresFor(
  wanted: CoresField,
  cpus: number,
  { host, coreNeeds = { threads: 1, cpus } }: Pick<StartContext, 'host' | 'coreNeeds'>,
): Promise<CoreDivision | undefined> {
  if (wanted === undefined || wanted === 'shared') return undefined
  const allowed = await readAllowedCores(host.root)
  if (wanted === 'apart') return await divisionHere(allowed, (known) => divideCores(wanted, known, coreNeeds))
  const division = await divisionHere(allowed, (known) => divideCores(wanted, known, { threads: 1, cpus }))
  if ('reason' in division) throw notHere(division.reason, allowed)
  return division
}

async function divisionHere(
  allowed: readonly number[] | undefined,
  divide: (allowed: readonly number[]) => CoreDivision,
): Promise<CoreDivision> {
  if (allowed === undefined) return { reason: 'this system does not report which a process may use, as Linux does' }
  const division = divide(allowed)
  if ('reason' in division) return division
  const obstacle = await whyNoTaskset(allowed)
  return obstacle === undefined ? division : { reason: obstacle }
}

const notHere = (reason: string, allowed: readonly number[] | undefined): Problem =>
  new Problem('not-measurable-here', `Client and servers cannot have the cores that the spec names: ${reason}`, {
    hint:
      allowed === undefined
        ? 'Run on Linux, or take "cores" out of the target.'
        : `This process may use ${coreListText(allowed)}. "apart" chooses by itself, and never fails.`,
  })
