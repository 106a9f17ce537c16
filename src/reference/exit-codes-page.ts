import { bySeverity, exitCodes, problems } from '../errors.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

/** Names of the failures that end with an exit code, for readers of logs and of the library's errors. */
const problemsOf = (exitCode: number): string =>
  Object.entries(problems)
    .filter(([, problem]) => problem.exitCode === exitCode)
    .map(([name]) => code(name))
    .join(', ')

const renderExitCodes = (): string =>
  paragraphs(
    `A script sees from the exit code how a command ended. Where several specs run, the worst code is kept; from the mildest to the worst: ${bySeverity.join(', ')}. In the library the same failures are errors of the class \`Problem\`, each with a \`code\`, a message and a \`hint\` with the way out.`,
    table(
      ['Exit code', 'Meaning', 'Codes of `Problem`'],
      Object.entries(exitCodes).map(([number, meaning]) => [number, meaning, problemsOf(Number(number))]),
    ),
  )

export const exitCodesPage: Page = {
  file: 'exit-codes.md',
  title: 'Exit codes',
  summary: 'What a script can tell from the end of a command.',
  render: renderExitCodes,
}
