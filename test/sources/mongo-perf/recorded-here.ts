import { recordFile } from '../../../src/sources/mongo-perf/record-file.ts'
import { type Recording, type RecordedTest, type RecordRequest } from '../../../src/sources/mongo-perf/recorded.ts'
import { fail } from '../../fakes/fail.ts'

type Given = Partial<Pick<RecordRequest, 'tests' | 'threads' | 'seconds' | 'memoryMB' | 'from'>> & {
  /** Other files, by their paths below the checkout. */
  readonly files?: Readonly<Record<string, string>>
  /** Which of them come first. */
  readonly before?: readonly string[]
}

/** Records a file of which this is the text, in this thread. */
export function recordText(text: string, { files = {}, before = [], ...given }: Given = {}): readonly Recording[] {
  const all: Readonly<Record<string, string>> = { ...files, 'testcases/a.js': text }
  const recordings: Recording[] = []
  const request = {
    file: '/checkout/testcases/a.js',
    before: before.map((path) => `/checkout/${path}`),
    folder: '/checkout',
    tests: [],
    threads: [1],
    seconds: 30,
    memoryMB: 1024,
    ...given,
  }
  recordFile(
    request,
    (message) => {
      if (message.kind === 'recording') recordings.push(message.recording)
    },
    (path) => all[path.replace('/checkout/', '')] ?? fail(`no file ${path}`),
  )
  return recordings
}

/** Records a file that defines one test, from the text of an object. */
export function recordTest(test: string, given?: Given): RecordedTest {
  const [recording] = recordText(`tests = [${test}]`, given)
  return recording?.kind === 'recorded' ? recording.test : fail(recording?.reason ?? 'no test')
}

/** Why a test is refused whose `pre` has this body. */
export function refusalOf(body: string): string {
  const [recording] = recordText(`tests = [{ name: 'T', pre: function (collection) { ${body} }, ops: [] }]`)
  return recording?.kind === 'refused' ? recording.reason : 'it is recorded'
}
