import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Integration tests that take half a minute or more, the longest first. */
const slow = [
  'library/example-app',
  'library/pull-request',
  'cli/performance-tables',
  'cli/bank-transfers',
  'library/faults',
  'cli/stress-test',
  'cli/write-concern',
  'library/language-examples',
  'library/threads',
  'cli/init',
  'cli/secrets',
  'cli/micro',
  'cli/faults',
  'library/operation-truth/operation-truth',
  'docs-examples',
  'docs-commands',
  'readme-example',
  'library/stopped-members',
  'library/package',
  'cli/links',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = slow.findIndex((name) => moduleId.endsWith(`/contract/${name}.test.ts`))
  return at === -1 ? slow.length : at
}

/** A slow file that starts last keeps one worker busy while the others have nothing left to do. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
