import { dirname } from 'node:path'
import { prepareOutput, writeOutput } from '../../results/files/results-file.ts'
import { type CliContext } from '../cli-context.ts'

/** Writes an HTML file that the user named. */
export async function writeHtml(
  file: string,
  text: string,
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Promise<void> {
  await prepareOutput(dirname(file))
  await writeOutput(file, text)
  printStatus(`written: ${file}\n`)
}
