import { bySeverity, exitCodes, problems } from '../../src/core/errors.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

/** Codes of the problems that end with an exit code. */
const listProblems = (exitCode: number): string =>
  Object.entries(problems)
    .filter(([, problem]) => problem.exitCode === exitCode)
    .map(([name]) => code(name))
    .join(', ')

const renderExitCodes = (): string =>
  paragraphs(
    `To find out in a script how a command ended, use its exit code. If several specs run, the worst code is returned; in order of severity: ${bySeverity.join(', ')}. In the library, the same failures are errors of the class \`Problem\`, each with a \`code\`, a message and a \`hint\` how to fix it.`,
    table(
      ['Exit code', 'Meaning', 'Codes of `Problem`'],
      Object.entries(exitCodes).map(([number, meaning]) => [number, meaning, listProblems(Number(number))]),
    ),
  )

/** `docs/exit-codes.md`. */
export const exitCodesPage: Page = {
  file: 'exit-codes.md',
  title: 'Exit codes',
  summary: 'How a command ended, for scripts.',
  render: renderExitCodes,
}
