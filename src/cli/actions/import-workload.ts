import { readFileSync } from 'node:fs'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { importGenny } from '../../sources/genny/import-workload.ts'
import { importNoSqlBench } from '../../sources/nosqlbench/import-workload.ts'
import { importSimRunner } from '../../sources/simrunner/import-config.ts'
import { readSpecFile } from '../../spec/load-spec.ts'
import { type Imported, type WorkloadFile } from '../../spec/ycsb/import-workload.ts'
import { type CliContext } from '../cli-context.ts'
import { type ImportWorkloadFlags, type WorkloadTool } from '../commands/import.ts'
import { writeImported } from '../specs/write-imported.ts'

const importers: Readonly<Record<WorkloadTool, (file: WorkloadFile) => Imported>> = {
  genny: (file) => importGenny(file, readBeside),
  simrunner: importSimRunner,
  nosqlbench: importNoSqlBench,
}

/** Makes the spec of a workload of another tool, validates it, and prints or writes it; remarks are for the user. */
export async function importWorkload(
  tool: WorkloadTool,
  file: string,
  flags: ImportWorkloadFlags,
  cli: CliContext,
): Promise<void> {
  const imported = importers[tool]({ file, text: await readSpecFile(file) })
  await writeImported(imported, file, flags, {}, cli)
}

/** Reads a file that a workload names. */
function readBeside(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Problem(
      'spec-unreadable',
      `${file}, which the workload names, cannot be read (${describeErrorCode(error)})`,
      {
        hint: 'Keep it where the workload looks for it.',
        cause: error,
      },
    )
  }
}
