import { groupBy } from '../group-by.ts'
import { type Band } from './picture.ts'

export const seconds = (value: number): string => `${Number(value.toFixed(1))}`

/** When each of these began and ended; of what came more often than that, how often. */
export function bandsText(bands: readonly Band[], most: number): string {
  return [...groupBy(bands, ({ label }) => label)]
    .map(([label, times]) =>
      times.length > most
        ? `${label} ${times.length} times from ${seconds(times[0]?.from ?? 0)} s`
        : `${label} ${times.map(timeText).join(', ')}`,
    )
    .join('; ')
}

const timeText = ({ from, to }: Band): string =>
  from === to ? `at ${seconds(from)} s` : `from ${seconds(from)} to ${seconds(to)} s`
