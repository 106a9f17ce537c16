import { readFileSync, writeFileSync } from 'node:fs'
import { writtenSchema } from './editor/editor-schema.ts'
import { specTypes } from './spec-types.ts'

const file = new URL('../../src/spec/spec-input.ts', import.meta.url)

function readWritten(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

// What is written anew is compiled anew.
const types = specTypes(writtenSchema())
if (types !== readWritten()) writeFileSync(file, types)
