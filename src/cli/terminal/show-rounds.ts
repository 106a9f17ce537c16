import { type AbProgress } from '../../verdicts/ab/run-rounds.ts'
import { type CliContext } from '../cli-context.ts'
import { describeEvent } from './show-progress.ts'
import { durationText } from './time-left.ts'

/** Shows where a comparison is: a line that is rewritten on a terminal, and one line per finished round. */
export const showRounds =
  ({ printStatus, rewrite }: Pick<CliContext, 'printStatus' | 'rewrite'>) =>
  (progress: AbProgress): void => {
    if (progress.kind === 'round') printStatus(`${roundText(progress)} done${leftText(progress)}\n`)
    else
      rewrite(
        `${roundText(progress)}, ${progress.side.toUpperCase()}${leftText(progress)}: ${describeEvent(progress.event)}`,
      )
  }

const roundText = ({ round, of }: AbProgress): string => `round ${round}${of === null ? '' : ` of ${of}`}`

function leftText({ secondsLeft, of }: AbProgress): string {
  if (secondsLeft === null || secondsLeft === 0) return ''
  return `, ${of === null ? 'at most' : 'about'} ${durationText(secondsLeft)} left`
}
