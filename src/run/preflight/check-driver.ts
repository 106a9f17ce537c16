import { Problem } from '../../core/errors.ts'
import { type LoadDriver } from '../../load/engines/driver/load-driver.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'

/** @throws {Problem} "usage" where a spec asks for what a driver that was handed in cannot do. */
export function checkDriver({ rows }: Pick<LoadedSpec, 'rows'>, { version, isBundled, translate }: LoadDriver): void {
  if (isBundled) return
  const specs = rows.map(({ spec }) => spec)
  const phases = specs.flatMap((spec) => spec.phases).filter(({ engine }) => engine === 'driver')
  if (phases.length === 0)
    throw new Problem('usage', 'No phase uses the custom driver: all use the engine "wire"', {
      hint: 'Leave "driver" out of the options, or choose the engine "driver" for what it is to send.',
    })
  const usesThreads = phases.some(({ load }) => load.threads !== undefined && load.threads > 1)
  if (usesThreads)
    throw new Problem('usage', 'A custom driver runs on one thread only: threads cannot share it', {
      hint: 'Leave "threads" out of the spec, or "driver" out of the options.',
    })
  if (translate && specs.some(({ checks }) => checks.length > 0))
    throw new Problem(
      'usage',
      `Checks cannot read what driver ${version} sends: its BSON is of another major version`,
      {
        hint: 'Hand in a driver 7, or leave "checks" out of the spec.',
      },
    )
}
