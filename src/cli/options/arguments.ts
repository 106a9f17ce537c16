import { InvalidArgumentError } from 'commander'
import { type Json } from '../../core/json.ts'
import { type ListenAddress } from '../../run/live/listen.ts'

/** Parses the argument of an option: a whole number from `min`, by default 1, to `max`. Default: no upper limit. */
export const wholeNumber =
  (max = Number.MAX_SAFE_INTEGER, min = 1) =>
  (text: string): number => {
    const number = Number(text)
    if (Number.isSafeInteger(number) && number >= min && number <= max) return number
    throw new InvalidArgumentError(
      `It must be a whole number ${max === Number.MAX_SAFE_INTEGER ? 'above 0' : `from ${min} to ${max}`}.`,
    )
  }

/** Parses the argument of an option: a number above 0. */
export function aboveZero(text: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  const [, bare] = /^([\d.]+) ?[a-z%/]+$/i.exec(text) ?? []
  throw new InvalidArgumentError(`It must be a number above 0${bare === undefined ? '' : `, without a unit: ${bare}`}.`)
}

/** Parses "name=value": a value that is not JSON is a text. */
export function parseSetting(text: string): readonly [name: string, value: Json] {
  const cut = text.indexOf('=')
  const value = text.slice(cut + 1)
  try {
    return [text.slice(0, cut), JSON.parse(value) as Json]
  } catch {
    return [text.slice(0, cut), value]
  }
}

const secondsByUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

/** Parses a duration such as "90s", "10m" or "1h" to seconds. */
export function duration(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? []
  const seconds = Number(number) * (secondsByUnit[unit] ?? 0)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('It must be a duration such as 90s, 10m or 1h.')
}

const maxPort = 65_535

/** Parses a port. 0: any free one. */
export function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= maxPort) return port
  throw new InvalidArgumentError(`It must be a port: a whole number from 0 to ${maxPort}.`)
}

const address = /^(?:(?:\[(?<v6>[\da-f:.]+)\]|(?<host>[^:[\]/\s]+)):)?(?<port>\d+)$/i

/** Parses "9464", "127.0.0.1:9464" or "[::1]:9464". */
export function listenAddress(text: string): ListenAddress {
  const { v6, host = '127.0.0.1', port } = address.exec(text)?.groups ?? {}
  if (port === undefined) throw new InvalidArgumentError('It must be a port, or a host and a port: 127.0.0.1:9464.')
  return { host: v6 ?? host, port: portNumber(port) }
}
