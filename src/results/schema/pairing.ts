import { z } from 'zod'
import { count, figure, keyword, list, part, text } from './fields.ts'

export const sideName = keyword(['a', 'b']).describe('One of the two sides of a comparison.')

export const pairing = part(
  'Marks a result as one side of a comparison whose runs were interleaved: run *n* of both sides is round *n*, or pair *n* of turns.',
  {
    id: text.describe('The same in the results of both sides.'),
    side: sideName,
    settings: list(text).describe('Settings that this side alone has, such as "workers=8" or "engine:wire".'),
    first: list(sideName).describe('The side that ran first in each round, or in each pair of turns.'),
    rounds: keyword(['fixed', 'until clear', 'budget spent']).describe(
      'Whether rounds were added until verdicts were clear, or until the budget for that was spent, or their number was fixed before the first one.',
    ),
    turns: z
      .object({
        seconds: figure.describe('Length of a turn.'),
        leadInSeconds: figure.describe('Beginning of each turn, besides, whose operations are not measured.'),
        rounds: list(count).describe(
          'The round of each pair, from 1: everything that mongo-perf started was restarted before each round.',
        ),
      })
      .optional()
      .describe(
        'Absent: each run was one of a whole spec. Else run *n* is one turn of pair *n*: with both sides ready, one sent its operations, then the other.',
      ),
  },
)

export type { Pairing, SideName } from '../result-types.ts'
