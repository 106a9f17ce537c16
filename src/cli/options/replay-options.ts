import { InvalidArgumentError } from 'commander'
import { type Speed } from '../../traffic/replay/replay-load.ts'
import { type Connections, maxConnections } from '../../traffic/replay/slots.ts'
import { duration } from './arguments.ts'
import { type Flags, option } from './option.ts'

/** How a recording is replayed. Times are in seconds since the first call. */
export const replayOptions = [
  option(
    '--speed <factor>',
    'how many times as fast as recorded a recording is replayed (default: 1), or "max": as fast as calls are answered',
    speed,
  ),
  option(
    '--from <time>',
    'leave out calls of a recording before this time, counted from its first call, such as 90s or 10m',
    duration,
  ),
  option('--until <time>', 'leave out calls of a recording from this time on', duration),
  option(
    '--connections <n>',
    'the number of connections for a recording, or "as-recorded" (the default): as many as were in use at the same time',
    connections,
  ),
  option(
    '--compare-documents',
    'also compare the documents of replies with the recorded ones, if the data is the same',
  ),
  option(
    '--data <dump>',
    'load this before a recording is replayed: the folder or the archive that mongodump wrote, or "recorded" for documents made up from the calls',
  ),
  option('--allow-javascript', 'send calls of a recording that run JavaScript on the server, such as $where'),
]

export const replayWays = replayOptions.map((one) => one.attributeName() as keyof ReplayWays)

/** How a recording is replayed, as parsed. Undefined: not given. */
export type ReplayWays = Flags<typeof replayOptions>

function speed(text: string): Speed {
  if (text === 'max') return text
  const factor = Number(text)
  if (factor > 0 && Number.isFinite(factor)) return factor
  throw new InvalidArgumentError('It must be "max" or a number above 0.')
}

function connections(text: string): Connections {
  if (text === 'as-recorded') return text
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0 && number <= maxConnections) return number
  throw new InvalidArgumentError(`It must be "as-recorded" or a whole number from 1 to ${maxConnections}.`)
}
