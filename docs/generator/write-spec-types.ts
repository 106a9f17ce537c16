import { writeFileSync } from 'node:fs'
import { writtenSchema } from '../../src/spec/schema/editor-schema.ts'
import { specTypes } from './spec-types.ts'

writeFileSync(new URL('../../src/spec/spec-input.ts', import.meta.url), specTypes(writtenSchema()))
