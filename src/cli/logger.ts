import { type Logger, pino } from 'pino'
import { redact } from '../targets/redact.ts'
import { type World } from './world.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/** Logs go to people's side, as JSON lines when a program reads them. No line leaves without redaction. */
export function createLogger({ level, json, secrets }: { readonly level: string; readonly json: boolean; readonly secrets: readonly string[] }, { tell }: Pick<World, 'tell'>): Logger {
  const write = (line: string): void => tell(redact(json ? line : readable(line), secrets))
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}

function readable(line: string): string {
  const { time, level, msg } = JSON.parse(line) as { time: string; level: number; msg: string }
  return `${time.slice(11, 23)} ${pino.levels.labels[level] ?? level} ${msg}\n`
}
