import { commandsAtMost } from './commands-at-most.ts'
import { examinedAtMost } from './examined-at-most.ts'
import { indexUsed } from './index-used.ts'
import { noErrors, p99Below, throughputAbove } from './limits.ts'
import { needAtMost } from './need-at-most.ts'
import { noMoreWorkThan } from './no-more-work-than.ts'
import { noSlowerThan } from './no-slower-than.ts'

/** All expectations by the names of their matchers. A new one is one file and one entry here. */
export const expectations = {
  toHaveP99Below: p99Below,
  toHaveThroughputAbove: throughputAbove,
  toHaveNoErrors: noErrors,
  toExamineAtMost: examinedAtMost,
  toUseIndex: indexUsed,
  toSendAtMost: commandsAtMost,
  toBeNoSlowerThan: noSlowerThan,
  toNeedAtMost: needAtMost,
  toDoNoMoreWorkThan: noMoreWorkThan,
} as const

export type MatcherName = keyof typeof expectations
