import { type Result } from '../../results/schema.ts'
import { isNotMeasuredHere } from '../../results/warnings/weights.ts'
import { type Block } from '../blocks/block.ts'

const shownOfHash = 12

/** One line on how to reproduce the figures, with the status of the run. */
export function measuredHow(result: Result): string {
  const { spec, tool } = result
  const parts = [
    `Measured ${result.startedAt.slice(0, 10)} with ${tool.name} ${tool.version}`,
    `spec ${spec.name} (${spec.hash.slice(0, shownOfHash)})`,
    spec.profile === null ? '' : `profile ${spec.profile}`,
    ...Object.entries(spec.set).map(([name, value]) => `${name} set to ${JSON.stringify(value)}`),
    `seed ${spec.seed}`,
    repeats(spec.repeat),
    ofServers(result),
    result.status === 'done' ? '' : `status ${result.status}`,
  ]
  return `${parts.filter((part) => part !== '').join('; ')}.`
}

function repeats({ times, startUpRuns }: Result['spec']['repeat']): string {
  if (times <= 1) return 'each row run once'
  const counted = times - startUpRuns
  const rest = startUpRuns === 0 ? '' : `, ${startUpRuns} of them excluded as start-up`
  return `each row run ${times} times${rest}; cells show ${counted === 1 ? 'the other run' : `the ${counted === times ? '' : 'other '}${counted} together`}`
}

/** Said where it matters: of several runs. */
function ofServers({ variants }: Result): string {
  const uses = new Set(variants.map(({ servers }) => servers))
  if (variants.length < 2 || uses.has(undefined)) return ''
  return uses.has('kept') ? 'servers kept from run to run' : 'new servers for every run'
}

/** A warning about a run that was not completed. Empty if it was, or if another warning explains why it did not begin. */
export function unfinished(result: Result): readonly Block[] {
  if (result.status === 'done' || result.warnings.some(isNotMeasuredHere)) return []
  const measured = new Set(result.variants.filter(({ status }) => status === 'done').map(({ row }) => row)).size
  const texts = { running: 'This run has not finished', aborted: 'This run was aborted', failed: 'This run failed' }
  const text = `${measured} of ${result.spec.rows} rows were measured completely.`
  return [{ kind: 'warning', label: texts[result.status], text }]
}
