import { groupBy } from '../../metrics/statistics.ts'
import { type Band } from './picture.ts'

/** Seconds with at most one decimal. */
export const seconds = (value: number): string => `${Number(value.toFixed(1))}`

/** The times of bands by label. A label with more than `maxTimes` bands shows their number instead. */
export function bandsText(bands: readonly Band[], maxTimes: number): string {
  return [...groupBy(bands, ({ label }) => label)]
    .map(([label, times]) =>
      times.length > maxTimes
        ? `${label} ${times.length} times from ${seconds(times[0]?.from ?? 0)} s`
        : `${label} ${times.map(timeText).join(', ')}`,
    )
    .join('; ')
}

const timeText = ({ from, to }: Band): string =>
  from === to ? `at ${seconds(from)} s` : `from ${seconds(from)} to ${seconds(to)} s`
