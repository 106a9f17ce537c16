import { z } from 'zod'
import { type WarningFigure } from '../result-types.ts'
import { figure, flag, keyword, list, nullByDefault, orNull, part, text } from './fields.ts'

export const warningFigure = part('A number in the message of a warning, rounded as the message shows it.', {
  value: figure,
  unit: text,
})

export const warning = part('A warning about the validity of a measurement.', {
  code: text,
  message: text.describe('One sentence without a final period.'),
  parts: list(z.union([text, warningFigure]))
    .optional()
    .describe(
      'The message as texts and figures, so that reports can show the range over several runs. Absent: it has no figures, or an older result.',
    ),
  advice: text,
})

export const steadiness = part('How steady the throughput of a phase was.', {
  label: keyword(['steady', 'drifting', 'unsettled', 'too short']),
  lastOverFirst: orNull(figure).describe('Throughput of the last third divided by throughput of the first third.'),
  isDriftSignificant: nullByDefault(flag).describe(
    'Whether they differ by more than chance explains. Null: unknown, as in older results.',
  ),
  precisionPercent: nullByDefault(figure).describe(
    'Half width of the 95 % interval of mean throughput, in percent of it, by batch means. Null: too few batches, or an older result.',
  ),
  checkpoints: orNull(figure),
  longestGapSeconds: nullByDefault(figure).describe(
    'Longest time with less than a quarter of the median throughput. Null: too few operations, or an older result.',
  ),
})

/** A text, or a figure of a message. */
export type WarningPart = string | WarningFigure

export type { Steadiness, Warning, WarningFigure } from '../result-types.ts'
