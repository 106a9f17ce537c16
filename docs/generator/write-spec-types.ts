import { writeFileSync } from 'node:fs'
import { writtenSchema } from '../../src/schema/editor-schema.ts'
import { specTypes } from './spec-types.ts'

writeFileSync(new URL('../../src/spec-input.ts', import.meta.url), specTypes(writtenSchema()))
