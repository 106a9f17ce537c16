import { limitText } from '../limited-by/index.ts'
import { type Columns } from './column.ts'

/** The column for what limited throughput. */
export const limitedByColumns = {
  limitedBy: {
    title: 'Limited by',
    unit: '',
    isText: true,
    meaning:
      'What kept throughput from being higher, with the figures that decided it: other load, client CPU, write conflicts, tickets, server CPU, disk throughput, disk IOPS, journal syncs, round trips or offered rate. Of several runs it is that of most; "not known" if there is none, and for windows under a second. It is that of the whole phase.',
    source: 'client',
    digits: 0,
    of: ['phase', 'operation'],
    overRuns: limitText,
  },
} as const satisfies Columns
