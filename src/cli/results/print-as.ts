import { type TextLine } from '../../report/formats/text-blocks.ts'
import { type CliContext, printJson } from '../cli-context.ts'
import { type Format } from '../options/output-options.ts'

/** Findings of a command in every format; each is made when it is asked for. */
export type Printable = {
  /** @param columns Characters of a line. */
  readonly text: (columns: number) => readonly TextLine[]
  readonly md: () => string
  readonly github: () => string
  readonly csv: () => string
  readonly json: () => unknown
}

/** The format to print in, if none was asked for: a text for people on a terminal. */
export const chooseFormat = <Asked extends string>(
  asked: Asked | undefined,
  { screen }: Pick<CliContext, 'screen'>,
): Asked | 'text' | 'md' => asked ?? (screen.isTerminal ? 'text' : 'md')

/** Whether a format is for people, who read notes beside it too. */
export const isForPeople = (format: string): format is 'text' | 'md' => format === 'text' || format === 'md'

export function printAs(
  format: Format,
  printable: Printable,
  { print, printLines, screen }: Pick<CliContext, 'print' | 'printLines' | 'screen'>,
): void {
  if (format === 'text') printLines(printable.text(screen.columns))
  else if (format === 'json') printJson(printable.json(), { print })
  else print(printable[format]())
}
