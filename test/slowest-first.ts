import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Integration tests that take half a minute or more, the longest first. */
const slow = [
  'cli/performance-tables',
  'cli/bank-transfers',
  'library/faults',
  'library/threads',
  'library/example-app',
  'library/language-examples',
  'cli/write-concern',
  'cli/stress-test',
  'cli/faults',
  'docs-examples',
  'cli/links',
  'cli/init',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((name) => moduleId.endsWith(`/integration/${name}.test.ts`))
  return at === -1 ? slow.length : at
}

/** A slow file that starts last keeps one worker busy while the others have nothing left to do. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
