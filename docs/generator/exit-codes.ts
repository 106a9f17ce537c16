import { bySeverity, exitCodes, problems } from '../../src/core/errors.ts'
import { code, paragraphs, table } from './markdown.ts'

/** Codes of the problems that end with an exit code. */
const listProblems = (exitCode: number): string =>
  Object.entries(problems)
    .filter(([, problem]) => problem.exitCode === exitCode)
    .map(([name]) => code(name))
    .join(', ')

/** The exit codes of commands, with the problems that lead to them. */
export const renderExitCodes = (): string =>
  paragraphs(
    `The same for all commands. If several specs run, the worst code is returned, in this order of severity: ${bySeverity.join(', ')}. The library throws the same failures as errors of the class \`Problem\`, with a \`code\`, a message and a \`hint\` how to fix it.`,
    table(
      ['Exit code', 'Meaning', 'Codes of `Problem`'],
      Object.entries(exitCodes).map(([number, meaning]) => [number, meaning, listProblems(Number(number))]),
    ),
  )
