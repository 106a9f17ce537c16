import { expect, test } from 'vitest'
import { setUpBlocks } from '../../../src/report/blocks/set-up.ts'
import { blockHtml } from '../../../src/report/html/blocks.ts'
import { blocksMarkdown, treeMarkdown } from '../../../src/report/markdown/render.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const ofRows = (...rows: readonly (readonly string[])[]) =>
  setUpBlocks(fakeResult({ variants: rows.map((commands, row) => fakeVariant({ row, commands: [...commands] })) }))

/** What starts a server on a port and makes a collection there. */
const row = (port: number, folder: string, create: string): readonly string[] => [
  `mongod --port=${port} --dbpath=/tmp/mongo-perf-member0-${folder}/data`,
  `echo 1 > /sys/fs/cgroup/cpu/mongo-perf-12-${port}/cpu.shares`,
  `mongosh --quiet mongodb://127.0.0.1:${port}/ --eval '${create}'`,
]

test('commands that differ in ports and folders alone are shown once, as the first row sent them', () => {
  const first = row(40001, 'aaaaaa', 'one')
  const text = blocksMarkdown(ofRows(first, row(40002, 'bbbbbb', 'one'), row(40003, 'cccccc', 'two')))
  const lines = [...first, row(40003, 'cccccc', 'two')[2]].join('\n')
  expect(text).toHaveLine('set-up-summary', { commands: 4 })
  expect(text).toMatch(/^<details>\n<summary>.*<\/summary>\n\n/)
  expect(text.split('</summary>\n\n')[1]).toBe(`\`\`\`sh\n${lines}\n\`\`\`\n\n</details>`)
})

test('no command ends its block, in Markdown or in HTML', () => {
  const blocks = ofRows(['echo ```` && echo "</code></pre>"'])
  expect(blocksMarkdown(blocks)).toContain('`````sh\necho ```` && echo "</code></pre>"\n`````\n')
  expect(blocks.map((block) => blockHtml(block).text).join('')).toContain('echo ```` &amp;&amp; echo')
})

test('a report of a server of others leaves them out', () => {
  const tree = { title: 'T', sections: [{ title: null, blocks: ofRows(['mongod']) }] }
  expect(treeMarkdown(tree)).toContain('mongod')
  expect(ofRows([], [])).toEqual([])
})
