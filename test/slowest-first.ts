import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests with servers that take long, the longest first. */
const slow = [
  'full/library/example-app',
  'full/library/pull-request',
  'full/performance-tables',
  'full/bank-transfers',
  'full/library/faults',
  'full/stress-test',
  'full/write-concern',
  'full/library/language-examples',
  'full/library/threads',
  'full/micro',
  'full/faults',
  'full/library/operation-truth/operation-truth',
  'full/docs-examples',
  'full/docs-commands',
  'full/readme-example',
  'full/library/stopped-members',
  'full/library/package',
  // It builds its server when it runs for the first time.
  'full/ferretdb',
  'full/links',
  'contract/engines/conformance',
  'contract/cli/init',
  'contract/operations/change-stream',
  'contract/cli/ab',
  'contract/engines/wire-failures',
  'full/sampler',
  'processes/lifecycle',
  'processes/secrets',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return at === -1 ? slow.length : at
}

/** A slow file that starts last keeps one worker busy while the others have nothing left to do. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
