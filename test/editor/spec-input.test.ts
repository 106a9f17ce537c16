import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { aProject, ofProgram } from './a-project.ts'
import { typescript } from './typescript.ts'

const call = promisify(execFile)

const specs = ['fixtures/specs', 'fixtures/examples', 'fixtures/language'].flatMap((folder) =>
  readdirSync(ofProgram(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => `${folder}/${file}`),
)

test('the compiler takes every spec that ships, and every example of an operation', async () => {
  const head = `import { type SpecInput } from '${ofProgram('src/spec/spec-input.ts')}'\nexport const spec: SpecInput = `
  const files = specs.map((file) => [
    `${file.replaceAll('/', '-')}.ts`,
    `${head}${readFileSync(ofProgram(file), 'utf8')}`,
  ])
  await using project = await aProject(Object.fromEntries(files))
  const { stdout } = await call(process.execPath, [typescript, '-p', project.folder]).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(stdout).toBe('')
})
