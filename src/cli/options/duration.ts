import { InvalidArgumentError } from 'commander'

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Parses a duration such as "90s", "10m" or "1h" to seconds. */
export function duration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? []
  const seconds = Number(number) * (secondsOf[unit] ?? 0)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h.')
}
