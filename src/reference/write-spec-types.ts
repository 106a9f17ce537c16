import { writeFileSync } from 'node:fs'
import { writtenSchema } from '../schema/editor-schema.ts'
import { specTypes } from './spec-types.ts'

writeFileSync(new URL('../spec-input.ts', import.meta.url), specTypes(writtenSchema()))
