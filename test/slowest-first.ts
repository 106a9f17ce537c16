import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests with servers that take long, the longest first. */
const slow = [
  'contract/library/example-app',
  'contract/library/pull-request',
  'full/performance-tables',
  'full/bank-transfers',
  'contract/library/faults',
  'full/stress-test',
  'full/write-concern',
  'contract/library/language-examples',
  'contract/library/threads',
  'contract/cli/init',
  'processes/secrets',
  'full/micro',
  'full/faults',
  'contract/library/operation-truth/operation-truth',
  'contract/docs-examples',
  'contract/docs-commands',
  'contract/readme-example',
  'contract/library/stopped-members',
  'contract/library/package',
  'full/links',
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
