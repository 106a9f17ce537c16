import { type Logger, pino } from 'pino'
import { type OnProgress } from '../../run/run-events.ts'
import { redact } from '../../servers/targets/connection/redact.ts'
import { type CliContext } from '../cli-context.ts'
import { describeEvent } from './show-progress.ts'

/** Creates a logger to the standard error, with redacted lines of text or JSON. */
export function createLogger(
  { level, json, secrets }: { readonly level: string; readonly json: boolean; readonly secrets: readonly string[] },
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Logger {
  const write = (line: string): void => printStatus(redact(json ? line : readable(line), secrets))
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}

function readable(line: string): string {
  const { time, level, msg } = JSON.parse(line) as { time: string; level: number; msg: string }
  return `${time.slice(11, 23)} ${pino.levels.labels[level] ?? level} ${msg}\n`
}

/** Logs the steps of a run at level "debug", and their progress at level "trace". */
export function logEvents(log: Logger): OnProgress {
  return (event) => {
    const level = event.kind === 'load' || event.kind === 'phase' ? 'trace' : 'debug'
    if (log.isLevelEnabled(level)) log[level](describeEvent(event))
    if ('commands' in event) for (const command of event.commands) log.debug(command)
  }
}
