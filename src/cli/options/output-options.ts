import { type Command } from 'commander'
import { layouts } from '../../report/document/layout.ts'
import { type CliContext } from '../cli-context.ts'
import { option, type TypedOption } from './option.ts'

export const formats = ['text', 'md', 'json', 'csv', 'github'] as const
export type Format = (typeof formats)[number]
export type ComparisonFormat = Format | 'junit'
/** Formats in which several reports are one text, for programs of pipelines; two have the names that github-action-benchmark gives them. */
export const gatheredFormats = ['junit', 'bencher', 'customSmallerIsBetter', 'customBiggerIsBetter'] as const
/** A format in which several reports are one text. */
export type GatheredFormat = (typeof gatheredFormats)[number]
/** A format of reports: also the one that `size` prints. */
export type ReportFormat = Format | GatheredFormat | 'rate'

/** Declares the option `--format`, by default of the formats that all printed documents have. */
const createFormatOption = <const Choice extends string>(choices: readonly Choice[]) =>
  option(
    '--format <format>',
    'what is printed: "text" is the default on a terminal, "md" elsewhere; "github" is for comments and summaries',
    { choices },
  )

export const formatOption = createFormatOption(formats)

export const reportFormatOption: TypedOption<'format', ReportFormat | undefined> = createFormatOption([
  ...formats,
  ...gatheredFormats,
])

export const comparisonFormatOption = createFormatOption([...formats, 'junit'])

/** The same for what is a list of lines, or JSON. */
export const listFormatOption = option(
  '--format <format>',
  'what is printed: "text" is the default, "json" for programs',
  { choices: ['text', 'json'] },
)

export const quietOption = option(
  '-q, --quiet',
  'print only warnings and errors, and the report only if --format is given',
)

/** The context of a command with `--quiet`: it prints no report that was not asked for by `--format`. */
export function quietly(cli: CliContext, command: Command): CliContext {
  const isAskedFor = command.getOptionValueSource('format') === 'cli'
  if (command.getOptionValue('quiet') !== true || isAskedFor) return cli
  const nothing = { value: () => undefined }
  // A copy would read the signal, from where on a Ctrl-C no longer ends the process at once.
  return Object.create(cli, { print: nothing, printLines: nothing }) as CliContext
}

export const referenceOption = option(
  '--reference',
  'put the published figures that the spec names beside the measured ones',
)

export const layoutOption = option(
  '--layout <layout>',
  'with --into: the shape of its sections from now on; an "article" shows what a published section does, and folds the rest',
  { choices: layouts },
)
